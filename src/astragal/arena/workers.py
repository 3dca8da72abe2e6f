"""Where games are played: in this process, in others on this machine, or on a Dask cluster; any Executor will do."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future, ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import connection
from typing import Any

from astragal.base.errors import AstragalError
from astragal.players.programs.engine_process import kill_all

ONE_THREAD = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")
ENDING_SECONDS = 1.0  # for workers to end their engines


class InProcessExecutor(Executor):
    """Runs what it is given at once, in this process."""

    def submit(self, task: Callable[..., Any], /, *arguments: Any, **named: Any) -> Future[Any]:
        future: Future[Any] = Future()
        try:
            future.set_result(task(*arguments, **named))
        except Exception as error:
            future.set_exception(error)
        return future


class Processes(ProcessPoolExecutor):
    """Processes on this machine that leave Ctrl-C to the coordinator and do not outlive it."""

    def __init__(self, jobs: int) -> None:
        super().__init__(jobs, multiprocessing.get_context("spawn"), initializer=follow_coordinator)

    def submit(self, task: Callable[..., Any], /, *arguments: Any, **named: Any) -> Future[Any]:
        with without_interrupts():  # a process that is started here would be hit by it before it can look away
            return super().submit(task, *arguments, **named)

    def kill(self) -> None:
        # Up to Python 3.11 the pool also sets the death of its processes on cancelled futures, which refuse it, and
        # its thread ends with a traceback: this sets it on the others.
        for item in list((self._pending_work_items or {}).values()):
            if item.future.cancelled():
                item.future = Future()
        processes = list((self._processes or {}).values())
        for process in processes:
            process.terminate()  # they end their engines first
        deadline = time.monotonic() + ENDING_SECONDS
        for process in processes:
            connection.wait([process.sentinel], max(0.0, deadline - time.monotonic()))
            process.kill()


@contextmanager
def without_interrupts() -> Iterator[None]:
    """Put Ctrl-C off, for this process and those that it starts meanwhile; where the system cannot, do nothing."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def follow_coordinator() -> None:
    """Leave Ctrl-C, which reaches every process of a terminal, to the coordinator; and end when it has ended."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, end_with_engines)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    threading.Thread(target=end_with_coordinator, name="coordinator", daemon=True).start()


def end_with_engines(*_: object) -> None:
    kill_all()
    os._exit(1)


def end_with_coordinator() -> None:
    """A killed coordinator sends nothing; without this its workers would wait for tasks for ever."""
    coordinator = multiprocessing.parent_process()
    if coordinator is not None:
        coordinator.join()
        end_with_engines()


def local_workers(jobs: int) -> Executor:
    """Processes on this machine, one thread each; with one job, this process."""
    if jobs == 1:
        return InProcessExecutor()
    for name in ONE_THREAD:  # for the processes to come; this one has read them already
        os.environ.setdefault(name, "1")
    return Processes(jobs)


class Cluster(Executor):
    """The workers of a Dask scheduler. What was handed to it is under way: it cannot be called back."""

    def __init__(self, client: Any) -> None:
        self.client = client
        self.inner = client.get_executor(pure=False)

    def submit(self, task: Callable[..., Any], /, *arguments: Any, **named: Any) -> Future[Any]:
        future: Future[Any] = Future()
        future.set_running_or_notify_cancel()
        handed_in = self.inner.submit(in_one_piece, task, *arguments, **named)
        handed_in.add_done_callback(lambda done: hand_on(done, future))
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        self.inner.shutdown(wait=wait and not cancel_futures)
        self.client.close()


def in_one_piece(task: Callable[..., Any], /, *arguments: Any, **named: Any) -> bytes:
    """What comes of a task, for Dask to carry: of a list it would pack each item by itself, which takes longer."""
    return pickle.dumps(task(*arguments, **named))


def hand_on(done: Future[Any], future: Future[Any]) -> None:
    """Copy the result of a future that Dask made to another one."""
    try:
        future.set_result(pickle.loads(done.result()))
    except CancelledError:
        future.set_exception(AstragalError("the Dask scheduler is gone; the same command goes on from here"))
    except Exception as problem:
        killed = type(problem).__name__ == "KilledWorker"  # several of them, since Dask itself tries again
        future.set_exception(BrokenExecutor(str(problem)) if killed else problem)


class PersistentWorkers:
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
        return BorrowedExecutor(self.workers)

    def __enter__(self) -> PersistentWorkers:
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


class BorrowedExecutor(Executor):
    """Persistent workers for one contest, which does not end them."""

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
    except Exception as error:  # of whatever kind: another server may have answered something
        raise AstragalError(f"there is no Dask scheduler at {address}: {error}") from None
    threads = sum(client.nthreads().values())
    if not threads:
        client.close()
        raise AstragalError(f"the Dask scheduler at {address} has no workers")
    return Cluster(client), threads


def end_at_once(workers: Executor) -> None:
    """Give up the games under way."""
    if isinstance(workers, Processes):
        workers.kill()
