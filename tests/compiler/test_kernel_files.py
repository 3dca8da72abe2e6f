"""Damaged or exchanged files of the cache cost a compile and a warning, and the cache stays small."""

from __future__ import annotations

import contextlib
import os
import sys
import time
import warnings

import numpy as np
import pytest

from astragal.base.errors import SpecError
from astragal.base.folders import new_file
from astragal.compiler import kernel as kernels
from astragal.compiler.kernel import kernel
from astragal.compiler.kernel_files import (
    DAYS,
    MEGABYTES,
    CorruptEntry,
    kept_files,
    kernel_folder,
    limit,
    read_kernel,
    trim_kernels,
    write_kernel,
)
from astragal.solvers.solution import save_arrays

pytestmark = pytest.mark.compiled

KEY, OTHER = "a" * 64, "b" * 64
CONTENT = bytes(range(256)) * 4
DAY = 86400.0


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """The folder of kernels of a cache that is empty at first."""
    monkeypatch.setenv("ASTRAGAL_CACHE", str(tmp_path / "cache"))
    return kernel_folder()


def test_what_is_written_is_read(folder):
    write_kernel(folder / "one", KEY, CONTENT)
    assert read_kernel(folder / "one", KEY) == CONTENT
    write_kernel(folder / "one", KEY, b"")
    assert read_kernel(folder / "one", KEY) == b""


def test_every_flipped_bit_is_noticed(folder):
    path = folder / "one"
    write_kernel(path, KEY, CONTENT[:64])
    good = path.read_bytes()
    for place in range(len(good)):
        for bit in (0, 5, 7):
            path.write_bytes(good[:place] + bytes([good[place] ^ 1 << bit]) + good[place + 1 :])
            with pytest.raises(CorruptEntry):
                read_kernel(path, KEY)
    path.write_bytes(good + b"x")
    with pytest.raises(CorruptEntry, match="it is damaged"):
        read_kernel(path, KEY)


def test_a_file_under_the_name_of_another_is_noticed(folder):
    write_kernel(folder / "one", KEY, CONTENT)
    with pytest.raises(CorruptEntry, match="it is another kernel"):
        read_kernel(folder / "one", OTHER)


needs_owners = pytest.mark.skipif(not hasattr(os, "geteuid"), reason="files have no owners")


@needs_owners
@pytest.mark.parametrize("mode", [0o620, 0o602, 0o666])
def test_a_file_that_others_may_write_to_is_not_read(mode, folder):
    write_kernel(folder / "one", KEY, CONTENT)
    os.chmod(folder / "one", mode)
    with pytest.raises(CorruptEntry, match="another user owns it or may write to it"):
        read_kernel(folder / "one", KEY)


@needs_owners
def test_a_file_of_another_user_is_not_read_but_one_of_the_system_is(folder, monkeypatch):
    write_kernel(folder / "one", KEY, CONTENT)
    owner = (folder / "one").stat().st_uid
    monkeypatch.setattr(os, "geteuid", lambda: owner + 1)
    if owner == 0:
        assert read_kernel(folder / "one", KEY) == CONTENT
        os.chown(folder / "one", 12345, -1)
    with pytest.raises(CorruptEntry, match="another user owns it"):
        read_kernel(folder / "one", KEY)


# Kernels


def plus_one(x):
    return x + 1


def plus_two(x):
    return x + 2


@pytest.fixture
def compiled():
    heard = []
    kernels.announcers.append(heard.append)
    kernels._warned.clear()
    yield heard
    kernels.announcers.pop()


def run_both():
    return kernel(plus_one, entry="one")(1), kernel(plus_two, entry="two")(1)


def test_two_kernels_whose_files_were_exchanged_are_compiled_anew(folder, compiled):
    assert run_both() == (2, 3)
    one, two = sorted(folder.glob("*.kernel"))
    held = one.read_bytes()
    one.write_bytes(two.read_bytes())
    two.write_bytes(held)
    with pytest.warns(UserWarning, match="ignoring a broken file in the cache .*: it is another kernel"):
        assert run_both() == (2, 3)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert run_both() == (2, 3)
    assert compiled == ["one", "two"] * 2


@needs_owners
def test_a_kernel_that_others_may_have_written_is_compiled_anew_and_written_over(folder, compiled):
    kernel(plus_one, entry="one")(1)
    (file,) = folder.glob("*.kernel")
    assert file.stat().st_mode & 0o777 == 0o600
    file.chmod(0o666)
    with pytest.warns(UserWarning, match="another user owns it or may write to it"):
        assert kernel(plus_one, entry="one")(1) == 2
    assert file.stat().st_mode & 0o777 == 0o600
    assert kernel(plus_one, entry="one")(1) == 2
    assert compiled == ["one"] * 2


# Full disks


@contextlib.contextmanager
def small_disk():
    """No file may become longer than 100 bytes; what is written until then is."""
    resource = pytest.importorskip("resource")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.mark.skipif(sys.platform == "win32", reason="no limit can be set")
def test_a_full_disk_leaves_nothing(folder, compiled):
    with pytest.warns(UserWarning, match="compiled kernels cannot be kept"), small_disk():
        assert kernel(plus_one, entry="one")(1) == 2
    with pytest.warns(UserWarning, match="the solution cannot be kept"), small_disk():
        save_arrays(folder.parent / "solutions" / "x.npz", values=np.arange(1000))
    assert [*folder.iterdir(), *(folder.parent / "solutions").iterdir()] == []
    assert [path.name for path in folder.parent.glob("tmp*")] == []


def test_a_file_that_cannot_be_finished_leaves_the_one_before(tmp_path):
    (tmp_path / "one").write_text("before")
    writing = new_file(tmp_path / "one", "w")
    writing.__enter__().write("half")
    assert not writing.__exit__(KeyboardInterrupt, KeyboardInterrupt(), None)  # it is not swallowed
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("one", "before")]


# Trimming


def keep(folder, name, size=10, days=0.0):
    """A file that was last used this many days ago."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_bytes(bytes(size))
    then = time.time() - days * DAY
    os.utime(folder / name, (then, then))


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def test_what_was_not_used_for_long_is_removed(folder, monkeypatch):
    monkeypatch.setenv(DAYS, "10")
    for days in (0, 9, 11, 400):
        keep(folder, f"{days}.kernel", days=days)
    assert len(trim_kernels()) == 2
    assert names(folder) == ["0.kernel", "9.kernel"]


def test_what_is_too_much_is_removed_the_longest_unused_first(folder, monkeypatch):
    monkeypatch.setenv(MEGABYTES, "0.000035")
    for days in (3, 1, 4, 2, 5):
        keep(folder, f"{days}.kernel", days=days)
    assert sorted(file.bytes for file in trim_kernels()) == [10, 10]
    assert names(folder) == ["1.kernel", "2.kernel", "3.kernel"]
    assert trim_kernels() == []


def test_what_nobody_finished_writing_is_removed_after_an_hour(folder):
    keep(folder, "tmpold", days=1)
    keep(folder, "tmpnew")
    trim_kernels()
    assert names(folder) == ["tmpnew"]


def test_a_kernel_that_is_used_is_kept_longer(folder):
    for days in (0.5, 80):
        write_kernel(folder / "one", KEY, CONTENT)
        then = time.time() - days * DAY
        os.utime(folder / "one", (then, then))
        read_kernel(folder / "one", KEY)
        (file,) = kept_files(folder)
        assert (file.used > then + DAY / 4) == (days > 1)  # the time is set at most once a day


def test_a_new_kernel_makes_room_for_itself(folder, compiled, monkeypatch):
    keep(folder, "old.kernel", days=100)
    kernel(plus_one, entry="one")(1)
    assert [name.partition("-")[0] for name in names(folder)] == ["plus_one"]
    monkeypatch.setenv(MEGABYTES, "0")
    assert kernel(plus_two, entry="two")(1) == 3
    assert names(folder) == []


def test_without_limits_all_is_kept(folder, monkeypatch):
    monkeypatch.setenv(MEGABYTES, "inf")
    monkeypatch.setenv(DAYS, "inf")
    keep(folder, "old.kernel", days=10_000)
    assert trim_kernels() == []


@pytest.mark.parametrize("text", ["much", "-1", "nan"])
def test_a_limit_that_is_none_is_said(text, folder, compiled, monkeypatch):
    monkeypatch.setenv(DAYS, text)
    with pytest.raises(SpecError, match=f"ASTRAGAL_CACHE_DAYS must be a number of at least 0, not '{text}'"):
        limit(DAYS)
    with pytest.warns(UserWarning, match="is not trimmed: ASTRAGAL_CACHE_DAYS must be"):
        assert kernel(plus_one, entry="one")(1) == 2
