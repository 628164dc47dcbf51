"""The file of a network: a line of JSON, then the weights as little-endian half floats.

The line has `format`, `inputs`, `outputs`, `hidden` (the sizes of the two hidden layers) and `about`, a sentence. For
each of the three layers follow its weights, a row for each input, and then its biases.
"""

import json
import struct
from array import array
from itertools import pairwise
from pathlib import Path
from typing import Final, NamedTuple

from wateringhole.kernel.policy import NETWORK, Policy
from wateringhole.learned.layout import INPUTS, OUTPUTS

FORMAT: Final = "wateringhole-network-1"
FILE_NAME: Final = "network.whn"
"""Its name in a folder of `examples/train.py`."""
MAX_HIDDEN: Final = 1024
MAX_HEAD_BYTES: Final = 2000


class Layer(NamedTuple):
    """`rows` of weights, one for each input, and a bias for each output."""

    rows: tuple[tuple[float, ...], ...]
    biases: tuple[float, ...]

    @property
    def outputs(self) -> int:
        return len(self.biases)


class Network:
    """Three layers of single floats; `numbers` are all weights and biases in the order of the file, for the kernel."""

    def __init__(self, layers: tuple[Layer, Layer, Layer]) -> None:
        self.layers: Final = layers
        self.numbers: Final = array("f")
        for layer in layers:
            for row in (*layer.rows, layer.biases):
                self.numbers.extend(row)

    @property
    def policy(self) -> Policy:
        """What the kernel plays with it: the best action of each draft."""
        first, second, _ = self.layers
        return Policy(NETWORK, network=(first.outputs, second.outputs, self.numbers))


def read_network(path: Path) -> Network:
    """The network in this file, or in FILE_NAME of this folder; ValueError with the reason when there is none."""
    if path.is_dir():
        path /= FILE_NAME
    try:
        data = path.read_bytes()
    except OSError as error:
        raise ValueError(f"{path} cannot be read: {error.strerror}") from None
    line, _, body = data.partition(b"\n")
    try:
        head: object = json.loads(line[:MAX_HEAD_BYTES])
    except ValueError:
        head = None
    if not isinstance(head, dict) or head.get("format") != FORMAT:
        raise ValueError(f"{path} is no network: its first line does not say {FORMAT}")
    hidden: object = head.get("hidden")
    if not isinstance(hidden, list) or len(hidden) != 2 or not all(map(_is_size, hidden)):
        raise ValueError(f"{path}: hidden must be two numbers from 1 to {MAX_HIDDEN}")
    if (head.get("inputs"), head.get("outputs")) != (INPUTS, OUTPUTS):
        raise ValueError(f"{path} is a network of another version: it has not {INPUTS} inputs and {OUTPUTS} outputs")
    sizes = list(pairwise((INPUTS, *hidden, OUTPUTS)))
    numbers = sum((before + 1) * after for before, after in sizes)
    if len(body) != 2 * numbers:
        raise ValueError(f"{path}: {len(body)} bytes follow the first line, not {2 * numbers}")
    found = struct.unpack(f"<{numbers}e", body)
    if not all(-1e5 < number < 1e5 for number in found):
        raise ValueError(f"{path} has a weight that is no number")
    layers: list[Layer] = []
    at = 0
    for before, after in sizes:
        rows = tuple(found[row : row + after] for row in range(at, at + before * after, after))
        at += (before + 1) * after
        layers.append(Layer(rows, found[at - after : at]))
    return Network((layers[0], layers[1], layers[2]))


def _is_size(number: object) -> bool:
    return type(number) is int and 1 <= number <= MAX_HIDDEN


def network_bytes(network: Network, about: str) -> bytes:
    """The content of the file of this network."""
    hidden = [layer.outputs for layer in network.layers[:2]]
    head = {"format": FORMAT, "inputs": INPUTS, "outputs": OUTPUTS, "hidden": hidden, "about": about}
    return json.dumps(head).encode() + b"\n" + struct.pack(f"<{len(network.numbers)}e", *network.numbers)
