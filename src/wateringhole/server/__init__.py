"""Games over the network: the only part that knows sockets and the time."""
