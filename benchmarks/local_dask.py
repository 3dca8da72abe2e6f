"""A Dask scheduler with two workers on this machine, for the benchmarks of contests."""

from __future__ import annotations

import importlib.util
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from astragal.arena.workers import Cluster

INSTALLED = importlib.util.find_spec("distributed") is not None


@contextmanager
def two_dask_workers() -> Iterator[Cluster]:
    """Workers of one thread each, as `docs/cluster.md` starts them."""
    from distributed import Client, LocalCluster

    options: dict[str, Any] = {"dashboard_address": None, "silence_logs": logging.CRITICAL}
    with LocalCluster(n_workers=2, threads_per_worker=1, **options) as cluster, Client(cluster) as client:
        yield Cluster(client)
