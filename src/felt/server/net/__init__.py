"""Connections, limits and certificates: what stands between the network and the service."""
