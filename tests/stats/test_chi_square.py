"""Chances of chi-square, against printed tables and a closed form."""

from math import exp

import pytest

from felt.stats.means import chi_square_above

TABLE = [  # Abramowitz & Stegun, table 26.8: df, chance, quantile
    (1, 0.05, 3.84146), (1, 0.01, 6.63490), (2, 0.5, 1.38629), (3, 0.95, 0.351846), (5, 0.05, 11.0705),
    (10, 0.05, 18.3070), (10, 0.01, 23.2093), (10, 0.995, 2.15586), (30, 0.05, 43.7730), (100, 0.05, 124.342),
    (100, 0.995, 67.3276),
]  # fmt: skip


@pytest.mark.parametrize(("df", "chance", "quantile"), TABLE)
def test_printed_quantiles(df, chance, quantile):
    assert chi_square_above(quantile, df) == pytest.approx(chance, rel=2e-5)


@pytest.mark.parametrize("x", [0.001, 0.3, 2.0, 3.9, 4.1, 60.0, 1400.0])
def test_two_and_four_degrees_have_a_closed_form(x):
    assert chi_square_above(x, 2) == pytest.approx(exp(-x / 2), rel=1e-12)
    assert chi_square_above(x, 4) == pytest.approx(exp(-x / 2) * (1 + x / 2), rel=1e-12)


def test_ends():
    assert chi_square_above(0, 3) == chi_square_above(-1, 3) == 1
    assert chi_square_above(10**6, 3) == 0
    with pytest.raises(ValueError, match="df >= 1"):
        chi_square_above(1, 0)
