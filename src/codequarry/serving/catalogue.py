"""The tools we offer, in the order in which a client lists them."""

from typing import Any

from codequarry.serving.asking import CONTEXT, IMPACT
from codequarry.serving.exploring import EXPLORE
from codequarry.serving.overview import OVERVIEW
from codequarry.serving.remembering import RECALL, REMEMBER
from codequarry.serving.searching import SEARCH, STATUS
from codequarry.serving.tools import Tool

TOOLS: tuple[Tool[Any, Any], ...] = (
    *(SEARCH, EXPLORE, CONTEXT, IMPACT, OVERVIEW, STATUS),
    *(REMEMBER, RECALL),
)
