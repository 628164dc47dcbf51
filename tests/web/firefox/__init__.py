"""The page in a real Firefox."""
