"""Many machines: one more executor for the scheduler of `felt.arena`, on a Ray cluster. Only here is Ray imported.

Every worker of the cluster is an actor that does what a worker process does at home: it plays tasks, and sends back the
results. Who plays changes no result, so a machine that is lost costs time and nothing else: its tasks are played again
by another. Begin with `cluster`; `executor` has both sides of a worker.
"""

from felt.scale.cluster import Cluster

__all__ = ["Cluster"]
