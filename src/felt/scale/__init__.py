"""Many machines: matches and competitions on a Ray cluster, with the same results as on one. Only here is Ray imported.

Every worker of the cluster is an actor that does what a worker process does at home: it plays a task, or a parcel of
runs, and sends back what came of it. Who plays changes no result, so a machine that is lost costs time and nothing
else: what it had is played again by another.
"""

from felt.scale.cluster import Cluster

__all__ = ["Cluster"]
