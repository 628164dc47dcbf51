from pathlib import Path
from types import ModuleType

import pytest

from tests.kernel.build import build, loaded
from wateringhole.cards import DECK


@pytest.fixture(scope="session")
def kernel(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    """The kernel of this source tree, whatever is installed."""
    folder: Path = tmp_path_factory.mktemp("kernel")
    module = loaded(build(folder, "-O1"))
    module.know_cards(DECK)
    return module
