"""Which acceptance scenarios a test shows: docs/scenarios.md lists them, and `test_scenarios_page` compares."""

import pytest


def shows(*scenarios: str) -> pytest.MarkDecorator:
    """Mark a test, or a case of one, with the scenarios that it plays through."""
    return pytest.mark.scenarios(*scenarios)
