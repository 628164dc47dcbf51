"""The starter kits, as a newcomer uses them."""
