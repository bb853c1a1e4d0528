"""Agents that play Looot."""

from ai.agent import (
    Agent,
    AgentFactory,
    AgentInfo,
    SearchAborted,
    UnknownAgentError,
    agent_info,
    agent_names,
    create_agent,
    register,
)
from ai.analysis import Analysis, Candidate, Step, explained
from ai.flat_monte_carlo_agent import FlatMonteCarloAgent
from ai.greedy_agent import GreedyAgent, GreedyHandAgent
from ai.ismcts_agent import IsmctsAgent
from ai.limits import InvalidLimitsError, Limits
from ai.plain_agent import PlainIsmctsAgent
from ai.random_agent import RandomAgent
from ai.reasons import Reasons
from ai.stop_flag import StopFlag

register("random", RandomAgent)
register("greedy_hand", GreedyHandAgent)
register("greedy", GreedyAgent)
register("flat_mc", FlatMonteCarloAgent)
register("ismcts_plain", PlainIsmctsAgent)
register("ismcts", IsmctsAgent)

__all__ = [
    "Agent",
    "AgentFactory",
    "AgentInfo",
    "Analysis",
    "Candidate",
    "FlatMonteCarloAgent",
    "GreedyAgent",
    "GreedyHandAgent",
    "InvalidLimitsError",
    "IsmctsAgent",
    "Limits",
    "PlainIsmctsAgent",
    "RandomAgent",
    "Reasons",
    "SearchAborted",
    "Step",
    "StopFlag",
    "UnknownAgentError",
    "agent_info",
    "agent_names",
    "create_agent",
    "explained",
    "register",
]
