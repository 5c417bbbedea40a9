"""What a unit of each kind costs: prices.yaml."""

from decimal import Decimal
from pathlib import Path
from typing import NamedTuple

import yaml


class Price(NamedTuple):
    """US dollars for `per` units, and where the price was found."""

    usd: str
    per: int
    unit: str
    source: str

    def of(self, quantity: Decimal) -> Decimal:
        """Give what a quantity costs, in US dollars."""
        return quantity * Decimal(self.usd) / self.per


_FILE = Path(__file__).with_suffix(".yaml")
PRICES = {name: Price(**each) for name, each in yaml.safe_load(_FILE.read_text("utf-8")).items()}
