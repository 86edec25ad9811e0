/** Reads plans in Eko's XML, and says which of their steps may begin. */
import { DOMParser } from "linkedom";

/** Returns the plan of a text, with what is done kept of the plan before, or what is wrong with it. */
export function readPlan(text, before, results) {
  const at = text.indexOf("<root>");
  if (at === -1) return { fault: "there is no plan between <root> and </root>" };
  const document = new DOMParser().parseFromString(text.slice(at), "text/xml");
  const kept = before.steps.filter(({ id }) => id in results);
  const read = [...document.querySelectorAll("agent")].map(readStep);
  const steps = [...kept, ...read.filter(({ id }) => !(id in results))];
  const fault = faultOf(steps);
  return fault === undefined ? { plan: { thought: text.slice(0, at).trim(), steps } } : { fault };
}

function readStep(agent) {
  const nodes = agent.querySelector("nodes");
  return {
    id: agent.getAttribute("id"),
    agent: agent.getAttribute("name"),
    dependsOn: (agent.getAttribute("dependsOn") ?? "").split(",").filter((id) => id !== ""),
    task: agent.querySelector("task")?.textContent ?? "",
    nodes: nodes?.toString() ?? "",
    outputs: [...agent.querySelectorAll("node[output]")].map((node) => node.getAttribute("output")),
    items: agent.querySelector("forEach")?.getAttribute("items") ?? undefined,
  };
}

function faultOf(steps) {
  if (steps.length === 0) return "a plan needs an agent";
  const placed = new Set();
  for (let left = steps; left.length > 0; ) {
    const open = left.filter(({ dependsOn }) => dependsOn.some((id) => !placed.has(id)));
    if (open.length === left.length)
      return "agents wait for each other, or for one that is missing";
    for (const { id } of left) if (!open.some((one) => one.id === id)) placed.add(id);
    left = open;
  }
  return undefined;
}

/** Returns what may begin: each step whose sources are done, once for each of its items. */
export function readyWork({ steps }, results) {
  const isReady = ({ id, dependsOn }) =>
    !(id in results) && dependsOn.every((one) => one in results);
  return steps.filter(isReady).flatMap((step) => {
    const before = Object.fromEntries(step.dependsOn.map((id) => [id, results[id]]));
    if (step.items === undefined) return [{ step, before }];
    const source = steps.find(({ outputs }) => outputs.includes(step.items));
    const items = results[source?.id]?.split("\n") ?? [];
    if (items.length === 0) return [{ step, before, isEmpty: true }];
    return items.map((item, index) => ({ step, before, item, index }));
  });
}

/** Returns the results by steps: a list for what was done once for each item. */
export function resultsOf(entries) {
  const results = {};
  for (const { id, index, text } of entries) {
    if (index === undefined) results[id] = text;
    else {
      results[id] ??= [];
      results[id][index] = text;
    }
  }
  return results;
}
