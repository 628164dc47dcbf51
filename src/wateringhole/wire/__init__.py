"""JSON at the edge: bytes and plain values to typed ones and back. No sockets."""
