"""Serves the tools of tau2's domains, a database for each task and way of playing it, and holds calls so that the caller can be killed."""

import json
import os
import pickle
import sys
import threading
from queue import Queue

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "python"))

from loguru import logger
from tau2.domains.airline.data_model import FlightDB
from tau2.domains.airline.tools import AirlineTools
from tau2.domains.airline.utils import AIRLINE_DB_PATH, AIRLINE_TASK_SET_PATH
from tau2.domains.retail.data_model import RetailDB
from tau2.domains.retail.tools import RetailTools
from tau2.domains.retail.utils import RETAIL_DB_PATH, RETAIL_TASK_SET_PATH
from tool_server import Worlds, plain, serve, text_result

# The log lines of the tools are of no use here.
logger.remove()


class Domain:
    """The tools of a domain, the database that each task begins with, and the right calls of each task."""

    def __init__(self, tools, database, database_path, task_path):
        self.tools = tools
        empty = tools(None)
        self.offer = [offered(tool, empty.tool_type(name)) for name, tool in empty.get_tools().items()]
        self.database = pickle.dumps(database.load(database_path))
        with open(task_path) as file:
            tasks = json.load(file)
        right = {task["id"]: task["evaluation_criteria"]["actions"] or [] for task in tasks}
        self.calls = {
            task: [{"tool": call["name"], "input": call["arguments"]} for call in calls] for task, calls in right.items() if calls
        }

    def begin(self):
        """Returns the tools of a new database."""
        return self.tools(pickle.loads(self.database))


def offered(tool, kind):
    """Returns a tool as the protocol describes it."""
    described = tool.openai_schema["function"]
    return {
        "name": tool.name,
        "description": described["description"],
        "inputSchema": described["parameters"],
        "annotations": {"readOnlyHint": True} if kind.value == "read" else {},
    }


DOMAINS = {
    "airline": Domain(AirlineTools, FlightDB, AIRLINE_DB_PATH, AIRLINE_TASK_SET_PATH),
    "retail": Domain(RetailTools, RetailDB, RETAIL_DB_PATH, RETAIL_TASK_SET_PATH),
}


def use(tools, name, arguments):
    """Returns the result of a call and whether it is an error."""
    try:
        return text_result(plain(tools.use_tool(name, **arguments))), False
    except Exception as error:
        return text_result(str(error), True), True


class World:
    """One database. Where callers are killed, each call is held: by turns when it arrives, and when it is done and not answered."""

    def __init__(self, domain, task, is_killed):
        self.tools, self.is_killed = domain.begin(), is_killed
        self.list_tools = lambda: domain.offer
        self.expected = list(domain.calls[task])
        self.done, self.results = [], []
        self.held, self.go_on = Queue(), threading.Event()
        # Tasks with one call have their turns, too.
        self.turn = int(task)

    def reads(self, name):
        return self.tools.tool_type(name).value == "read"

    def call(self, name, arguments):
        call = {"tool": name, "input": arguments}
        # A call that is made anew, since its caller died, is not held.
        is_held = self.is_killed and self.expected[:1] == [call]
        self.turn += is_held
        del self.expected[:is_held]
        if is_held and self.turn % 2 == 1:
            self.hold()
            return text_result("held and given up", True)
        result, is_error = use(self.tools, name, arguments)
        if not is_error and not self.reads(name):
            self.done.append(call)
            self.results.append(result["content"][0]["text"])
        if is_held:
            self.hold()
        return result

    def recall(self, call):
        """Returns the result of a call that was done, as whoever looks into the database knows it; None where it was not."""
        return self.results[self.done.index(call)] if call in self.done else None

    def hold(self):
        """Says that a call is held, and returns when its caller is dead."""
        self.go_on.clear()
        self.held.put(True)
        self.go_on.wait()


def parts(path):
    """Returns the domain, the name of the task and the way of playing of `/DOMAIN/TASK/WAY`."""
    _, domain, task, way = path.split("/")
    return DOMAINS[domain], task, way


class Offered:
    """A world as the protocol sees it."""

    def __init__(self, world):
        self.tools, self.call = world.list_tools, world.call


def begin(path):
    domain, task, way = parts(path)
    return World(domain, task, way != "whole")


WORLDS = Worlds(begin)


def gold(path):
    """Returns the calls of a task, those of them that change something and succeed, and the hash of the database that they leave."""
    domain, task, _ = parts(path)
    tools, calls = domain.begin(), domain.calls[task]
    failed = [use(tools, call["tool"], call["input"])[1] for call in calls]
    done = [call for call, is_error in zip(calls, failed) if not is_error and tools.tool_type(call["tool"]).value != "read"]
    return {"calls": calls, "done": done, "hash": tools.db.get_hash()}


def release(path):
    """Lets the held call of a caller that is dead end."""
    WORLDS.find(path).go_on.set()
    return True


def end(path):
    """Returns what was done in a world and the hash of its database; the world is then forgotten."""
    world = WORLDS.end(path)
    world.held.put(False)
    return {"done": world.done, "hash": world.tools.db.get_hash()}


serve(
    lambda path: Offered(WORLDS.find(path)),
    {
        "/list": lambda _: [{"domain": name, "tasks": list(domain.calls)} for name, domain in DOMAINS.items()],
        "/gold": gold,
        "/held": lambda path: WORLDS.find(path).held.get(),
        "/release": release,
        "/recall": lambda given: {"result": WORLDS.find(given["path"]).recall(given["call"])},
        "/end": end,
    },
)
