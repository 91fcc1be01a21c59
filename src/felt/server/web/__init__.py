"""The HTTP service: the application, its routes and what goes over the wire. Begin with `app`."""
