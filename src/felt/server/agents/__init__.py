"""Agents in the service: asked at live tables, and by `/decide`."""
