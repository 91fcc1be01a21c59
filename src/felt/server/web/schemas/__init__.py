"""What goes over the wire, typed: the page's client is generated from this."""
