"""Agents that play Looot."""

from ai.agent import (
    Agent,
    AgentFactory,
    AgentInfo,
    Analysis,
    Candidate,
    InvalidLimitsError,
    Limits,
    SearchAborted,
    UnknownAgentError,
    agent_info,
    agent_names,
    create_agent,
    register,
)
from ai.plain_agent import PlainIsmctsAgent
from ai.random_agent import RandomAgent
from ai.stop_flag import StopFlag

register("random", RandomAgent)
register("ismcts_plain", PlainIsmctsAgent)

__all__ = [
    "Agent",
    "AgentFactory",
    "AgentInfo",
    "Analysis",
    "Candidate",
    "InvalidLimitsError",
    "Limits",
    "PlainIsmctsAgent",
    "RandomAgent",
    "SearchAborted",
    "StopFlag",
    "UnknownAgentError",
    "agent_info",
    "agent_names",
    "create_agent",
    "register",
]
