"""Runs Magentic-UI's own orchestrator over a team of voices, behind a server on loopback, and prints what came of it as JSON.

Magentic-UI's modules are imported as they are: its group chat, its orchestrator, its prompts and its checks. In the place of its agents, which need
Docker and browsers, stand members of the same names, who say what the server says; so does the person.
"""

import asyncio
import json
import os
import sys

from autogen_agentchat.agents import BaseChatAgent
from autogen_agentchat.base import Response, TaskResult
from autogen_agentchat.messages import TextMessage
from autogen_core.models import SystemMessage, UserMessage
from autogen_ext.models.openai import OpenAIChatCompletionClient
from magentic_ui.teams import GroupChat
from magentic_ui.teams.orchestrator.orchestrator_config import OrchestratorConfig

server, task, settings = sys.argv[1], sys.argv[2], json.loads(sys.argv[3])


class Client(OpenAIChatCompletionClient):
    """Counts no tokens: the encodings for that are fetched from a server."""

    def count_tokens(self, messages, **more):
        return 0

    def remaining_tokens(self, messages, **more):
        return 100_000


client = Client(
    # Its contexts know the sizes of named models alone.
    model="gpt-4o",
    base_url=server,
    api_key="dummy",
    max_retries=0,
    model_info={"vision": False, "function_calling": True, "json_output": True, "family": "unknown", "structured_output": False},
)


class Voice(BaseChatAgent):
    produced_message_types = (TextMessage,)

    async def on_messages(self, messages, cancellation_token):
        asked = [SystemMessage(content=f"VOICE {self.name}."), UserMessage(content="Say it.", source="user")]
        text = (await client.create(asked)).content
        if text == "NOTHING":
            over.set()
            await asyncio.Event().wait()
        return Response(chat_message=TextMessage(content=text, source=self.name))

    async def on_reset(self, cancellation_token):
        pass

    async def load_state(self, state, **more):
        """Its web surfer takes whether the browser is loaded, too."""


async def play():
    members = [Voice(name, description=name) for name in ("web_surfer", "user_proxy", "coder_agent", "file_surfer")]
    team = GroupChat(members, client, OrchestratorConfig(allow_follow_up_input=False, **settings))
    answer = ""
    async for message in team.run_stream(task=task):
        if isinstance(message, TextMessage) and message.content.startswith("Final Answer:"):
            answer = message.content.removeprefix("Final Answer:").strip()
        if isinstance(message, TaskResult):
            return {"answer": answer, "status": "succeeded"}
    return {"answer": answer, "status": "failed"}


async def main():
    playing = asyncio.create_task(play())
    waiting = asyncio.create_task(over.wait())
    await asyncio.wait([playing, waiting], return_when=asyncio.FIRST_COMPLETED)
    if not playing.done():
        return {"answer": "", "status": "waiting"}
    try:
        return playing.result()
    except Exception as error:
        return {"answer": "", "status": "failed", "error": str(error)[:300]}


over = asyncio.Event()
print("\nPLAYED " + json.dumps(asyncio.get_event_loop_policy().new_event_loop().run_until_complete(main())), flush=True)
# Members that still wait for the person are not waited for.
os._exit(0)
