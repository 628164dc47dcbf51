"""One change of the tables each, in the order that `down_revision` says."""
