"""Where games are played: in this process, in others on this machine, or on a Dask cluster; any Executor will do."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor
from typing import Any

from astragal.errors import AstragalError

ONE_THREAD = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")


class Here(Executor):
    """Runs what it is given at once, in this process."""

    def submit(self, task: Callable[..., Any], /, *arguments: Any, **named: Any) -> Future[Any]:
        future: Future[Any] = Future()
        try:
            future.set_result(task(*arguments, **named))
        except Exception as error:
            future.set_exception(error)
        return future


def local_workers(jobs: int) -> Executor:
    """Processes on this machine, one thread each; with one job, this process."""
    if jobs == 1:
        return Here()
    for name in ONE_THREAD:  # for the processes to come; this one has read them already
        os.environ.setdefault(name, "1")
    return ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn"), initializer=let_coordinator_stop)


def let_coordinator_stop() -> None:
    """Ctrl-C reaches every process of a terminal; the coordinator decides what it means."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


class Kept:
    """Workers that outlive a contest, for many short ones in turn. Use it in a ``with``, and call it for workers."""

    def __init__(self, make_workers: Callable[[], Executor]) -> None:
        self.make_workers = make_workers
        self.workers: Executor | None = None

    def __call__(self) -> Executor:
        """The workers there are, or new ones where one has died, which ends all processes of a pool."""
        if self.workers is not None and are_dead(self.workers):
            self.workers.shutdown(wait=False)
            self.workers = None
        if self.workers is None:
            self.workers = self.make_workers()
        return Lent(self.workers)

    def __enter__(self) -> Kept:
        return self

    def __exit__(self, *_: object) -> None:
        if self.workers is not None:
            self.workers.shutdown(wait=True, cancel_futures=True)


def are_dead(workers: Executor) -> bool:
    try:
        workers.submit(int)
    except BrokenExecutor:
        return True
    return False


class Lent(Executor):
    """Kept workers for one contest, which does not end them."""

    def __init__(self, workers: Executor) -> None:
        self.workers = workers

    def submit(self, task: Callable[..., Any], /, *arguments: Any, **named: Any) -> Future[Any]:
        return self.workers.submit(task, *arguments, **named)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Leave them to the next contest."""


def cluster_workers(address: str) -> tuple[Executor, int]:
    """The workers of a Dask scheduler, and how many tasks they run at a time."""
    try:
        from distributed import Client
    except ImportError:
        raise AstragalError('a cluster needs Dask: pip install "astragal[cluster]"') from None
    try:
        client = Client(address, timeout=10)
    except (OSError, ValueError) as error:
        raise AstragalError(f"there is no Dask scheduler at {address}: {error}") from None
    threads = sum(client.nthreads().values())
    if not threads:
        raise AstragalError(f"the Dask scheduler at {address} has no workers")
    return client.get_executor(pure=False), threads
