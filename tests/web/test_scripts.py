"""The page's JavaScript that has logic, run by Node's own test runner."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

import astragal

NODE = shutil.which("node")
SCRIPTS = Path(astragal.__file__).parent / "web" / "static" / "js"


@pytest.mark.skipif(NODE is None, reason="Node.js is not installed")
def test_scripts(tmp_path):
    shutil.copytree(SCRIPTS, tmp_path, dirs_exist_ok=True)
    shutil.copytree(Path(__file__).parent / "js", tmp_path, dirs_exist_ok=True)
    (tmp_path / "package.json").write_text('{"type": "module"}', encoding="utf-8")
    tests = sorted(path.name for path in tmp_path.glob("*.test.mjs"))
    assert tests
    ran = subprocess.run([str(NODE), "--test", *tests], cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert ran.returncode == 0, ran.stdout + ran.stderr
