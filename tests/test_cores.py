"""How many cores a process may use: affinity, the quota of a container, and what batch systems set."""

from __future__ import annotations

import pytest

from astragal.base import cores
from astragal.base.cores import AUTO, Threads


@pytest.fixture(autouse=True)
def machine(monkeypatch, tmp_path):
    """Eight cores, no groups, nothing set."""
    monkeypatch.setattr(cores.os, "sched_getaffinity", lambda _: set(range(8)), raising=False)
    monkeypatch.setattr(cores, "CGROUPS", tmp_path)
    monkeypatch.setattr(cores, "OWN_CGROUPS", tmp_path / "own")
    for name in cores.THREAD_LIMITS:
        monkeypatch.delenv(name, raising=False)
    return tmp_path


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def test_auto_takes_all_cores_but_one(monkeypatch):
    assert (cores.cores(), cores.spare_cores()) == (8, 7)
    monkeypatch.setattr(cores.os, "sched_getaffinity", lambda _: {3})  # taskset
    assert (cores.cores(), cores.spare_cores()) == (1, 1)


@pytest.mark.parametrize(("quota", "expected"), [("max 100000", 8), ("250000 100000", 3), ("5000 100000", 1)])
def test_the_quota_of_a_container_counts(machine, quota, expected):
    write(machine / "own", "0::/\n")
    write(machine / "cpu.max", quota + "\n")
    assert cores.cores() == expected


def test_the_quota_of_a_group_above_counts(machine):
    write(machine / "own", "0::/user/session\n")
    write(machine / "user" / "session" / "cpu.max", "max 100000\n")
    write(machine / "user" / "cpu.max", "200000 100000\n")
    assert cores.cores() == 2


def test_so_does_one_of_the_first_version_of_groups(machine):
    write(machine / "own", "5:cpu,cpuacct:/docker/1\n4:memory:/docker/1\n")
    write(machine / "cpu" / "cpu.cfs_quota_us", "400000\n")
    write(machine / "cpu" / "cpu.cfs_period_us", "100000\n")
    assert cores.cores() == 4
    write(machine / "cpu" / "cpu.cfs_quota_us", "-1\n")
    assert cores.cores() == 8


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("OMP_NUM_THREADS", "3", 3),
        ("OMP_NUM_THREADS", "2,4", 2),
        ("OMP_NUM_THREADS", "many", 7),
        ("OMP_NUM_THREADS", "0", 7),
        ("SLURM_CPUS_PER_TASK", "20", 7),
    ],
)
def test_limits_of_threads_are_kept(monkeypatch, name, text, expected):
    monkeypatch.setenv(name, text)
    assert cores.spare_cores() == expected


@pytest.mark.parametrize("text", ["0", "-1", "257", "two", ""])
def test_what_is_no_number_of_threads_is_refused(text):
    with pytest.raises(ValueError, match="a whole number from 1 to 256, or auto"):
        Threads(text)


def test_a_number_of_threads_is_written_as_it_is_read():
    assert [str(Threads(text)) for text in ("auto", "1", "12")] == ["auto", "1", "12"]
    assert Threads("auto") == AUTO == 0
