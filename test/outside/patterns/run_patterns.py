"""Runs the control-flow specifications of SpiffWorkflow's own tests: run_patterns.py FOLDER NAME..., one line of JSON for each."""
import json
import os
import sys
import time

from lxml import etree
from SpiffWorkflow import Workflow
from SpiffWorkflow.serializer.prettyxml import XmlSerializer
from SpiffWorkflow.specs import WorkflowSpec

# What the specifications compare and count by.
FACTS = {"two": 2, "three": 3, "test_attribute1": "false", "test_attribute2": "true"}


def count_visit(_workflow, task, _taken):
    key = f"{task.task_spec.name}_reached"
    task.set_data(**{**FACTS, key: task.get_data(key, 0) + 1})
    return True


def note(_workflow, task, taken):
    spec = task.task_spec
    taken.append({"depth": task.depth, "name": spec.name, "kind": type(spec).__name__})
    return True


def run(folder, name):
    file = os.path.join(folder, f"{name}.xml")
    xml = etree.parse(file).getroot()
    spec = WorkflowSpec.deserialize(XmlSerializer(), xml, filename=file)
    taken = []
    for one in spec.task_specs.values():
        one.ready_event.connect(count_visit, taken)
        one.completed_event.connect(note, taken)
    workflow = Workflow(spec)
    for _ in range(10):
        workflow.run_all(False)
        if workflow.is_completed():
            break
        time.sleep(0.5)
    kinds = {one.name: type(one).__name__ for one in spec.task_specs.values()}
    return {"name": name, "isCompleted": workflow.is_completed(), "taken": taken, "kinds": kinds}


for name in sys.argv[2:]:
    print(json.dumps(run(sys.argv[1], name)))
