"""A Dask scheduler with two workers on this machine, for the benchmarks of contests."""

from __future__ import annotations

import importlib.util
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from astragal.arena.workers import Cluster

INSTALLED = importlib.util.find_spec("distributed") is not None
QUIET = {  # as `docs/cluster.md` advises where workers have no core to spare
    "distributed.worker.profile.enabled": False,
    "distributed.admin.tick.interval": "1s",
    "distributed.admin.system-monitor.interval": "10s",
}


@contextmanager
def two_dask_workers() -> Iterator[Cluster]:
    """Workers of one thread each, as `docs/cluster.md` starts them."""
    import dask
    from distributed import Client, LocalCluster

    options: dict[str, Any] = {"dashboard_address": None, "silence_logs": logging.CRITICAL}
    with (
        dask.config.set(QUIET),
        LocalCluster(n_workers=2, threads_per_worker=1, **options) as cluster,
        Client(cluster) as client,
    ):
        yield Cluster(client)
