"""Runs the team of agents of AWorld's own example, deep research, on a server on loopback, and prints what came of it as JSON.

AWorld's modules are imported as they are: its planner's parser, its handler of plans, its agents and its runner.
"""

import json
import sys

from aworld.agents.llm_agent import Agent
from aworld.config.conf import AgentConfig, ModelConfig
from aworld.core.agent.swarm import TeamSwarm
from aworld.core.event.base import Constants
from aworld.runner import Runners
from examples.multi_agents.coordination.deepresearch.planner import plan_handler  # noqa: F401 (it registers itself)
from examples.multi_agents.coordination.deepresearch.planner.plan import PlannerOutputParser

server, task = sys.argv[1:3]
conf = AgentConfig(
    llm_config=ModelConfig(
        llm_provider="openai", llm_model_name="stub", llm_base_url=server, llm_api_key="dummy", llm_temperature=0.0
    ),
    use_vision=False,
)


def agent(name, voice, **more):
    return Agent(agent_id=name, name=name, desc=name, conf=conf, system_prompt=f"VOICE {voice}.", **more)


planner = agent(
    "planner_agent",
    "planner",
    model_output_parser=PlannerOutputParser("planner_agent"),
    event_handler_name=Constants.PLAN,
)
team = TeamSwarm(planner, agent("web_search_agent", "searcher"), agent("reporting_agent", "reporter"), max_steps=1)
response = Runners.sync_run(input=task, swarm=team)
print("\nPLAYED " + json.dumps({"answer": str(response.answer or ""), "success": bool(response.success), "error": str(response.msg or "")}))
