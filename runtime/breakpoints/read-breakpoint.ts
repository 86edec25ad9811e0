/** Reads a breakpoint as people write it, and finds its place in a graph. */
import { calledGraph, expressionIn, type Ir, type NodeIr, nearest } from "../../dsl/index.ts";
import { RunError } from "../failure.ts";
import { arrowsFrom } from "./arrows.ts";
import type {
  Breakpoint,
  BreakpointCondition,
  BreakpointEvent,
  BreakpointPlace,
} from "./breakpoint-types.ts";

/** Throws M5003 for a node or field that is not there, M5450 for what can't be read. */
export function readBreakpoint(ir: Ir, breakpoint: Breakpoint): BreakpointPlace {
  if (typeof breakpoint === "string") {
    assertNode(ir, breakpoint);
    return { kind: "node", node: breakpoint, when: "before" };
  }
  if ("node" in breakpoint && !("on" in breakpoint)) {
    const { node, when = "before", holds } = breakpoint;
    if (holds === "branch" && when === "after") {
      throw unreadable("a breakpoint that holds a branch after its node", {
        hint: "a branch is held before a node starts: leave `when` out, or name the next node",
      });
    }
    const branch = holds === "branch" ? ({ isBranch: true } as const) : {};
    const { graph, name } = assertNode(ir, node);
    return { kind: "node", node, when, ...branch, ...limited(graph, breakpoint, name) };
  }
  if ("edge" in breakpoint) return edgePlace(ir, breakpoint);
  if ("watch" in breakpoint) return watchPlace(ir, breakpoint);
  if ("costAbove" in breakpoint) return costPlace(ir, breakpoint);
  if ("on" in breakpoint) return eventPlace(ir, breakpoint);
  throw unreadable("a breakpoint", {
    hint: "a node's name, or { node }, { edge }, { watch }, { on } or { costAbove }",
  });
}

type Of<K extends string> = Extract<Breakpoint, Readonly<Record<K, unknown>>>;

function edgePlace(ir: Ir, breakpoint: Of<"edge">): BreakpointPlace {
  const [from = "", to = "", ...more] = breakpoint.edge.split("->").map((name) => name.trim());
  if (from === "" || to === "" || more.length > 0) {
    throw unreadable(`the arrow \`${breakpoint.edge}\``, { hint: "write `a -> b`" });
  }
  const { graph, name } = assertSource(ir, from);
  const target = to.split("/").at(-1) ?? to;
  if (graph !== undefined) assertArrow(graph, name, target);
  const text = `${from} -> ${target}`;
  // What an arrow from the start leads to is asked as it starts; any other one behind what it leads from.
  const asked = name === "start" ? target : name;
  return { kind: "edge", text, node: from, to: target, ...limited(graph, breakpoint, asked) };
}

function assertArrow(graph: Ir, from: string, to: string): void {
  const targets = arrowsFrom(from, graph.edges);
  if (targets.includes(to)) return;
  throw new RunError("M5003", `\`${graph.name}\` has no arrow \`${from} -> ${to}\` to stop at`, {
    hint: `from \`${from}\` arrows lead to ${targets.length === 0 ? "nothing" : targets.join(", ")}`,
  });
}

function watchPlace(ir: Ir, breakpoint: Of<"watch">): BreakpointPlace {
  const { watch } = breakpoint;
  const slash = watch.lastIndexOf("/", watch.search(/[[.]|$/)) + 1;
  const path = watch.slice(0, slash);
  const [field = "", ...rest] = partsOfPath(watch.slice(slash));
  const graph = path === "" ? ir : assertNode(ir, path.slice(0, -1)).called;
  const fields = graph?.fields.map(({ name }) => name) ?? [];
  if (graph !== undefined && !fields.includes(String(field))) {
    const known = nearest(String(field), fields);
    throw new RunError("M5003", `\`${graph.name}\` has no field \`${field}\` to watch`, {
      hint: known === undefined ? `its fields: ${fields.join(", ")}` : `did you mean \`${known}\`?`,
    });
  }
  const place = { text: watch, path, field: String(field), rest };
  return { kind: "watch", ...place, ...limited(graph, breakpoint) };
}

/** `steps[2].title` as its parts; M5450 for what is no such path. */
export function partsOfPath(text: string): readonly (string | number)[] {
  const shape = /^[\p{L}_$][\p{L}\p{N}_$]*(\.[\p{L}_$][\p{L}\p{N}_$]*|\[\d+\]|\["[^"]*"\])*$/u;
  if (!shape.test(text)) {
    throw unreadable(`the path \`${text}\``, { hint: "write it as `plan.steps[2].title`" });
  }
  return [...text.matchAll(/([\p{L}_$][\p{L}\p{N}_$]*)|\[(\d+)\]|\["([^"]*)"\]/gu)].map(
    ([, name, index, key]) => (index === undefined ? (name ?? key ?? "") : Number(index)),
  );
}

const EVENTS: readonly BreakpointEvent[] = [
  ...(["error", "limit", "approval", "question", "tool", "file", "message"] as const),
];

function eventPlace(ir: Ir, breakpoint: Of<"on">): BreakpointPlace {
  const { on, node, name } = breakpoint;
  if (!EVENTS.includes(on)) {
    throw unreadable(`the event \`${on}\``, { hint: `it is one of ${EVENTS.join(", ")}` });
  }
  const at: Partial<ReadPlace> = node === undefined ? { graph: ir } : assertNode(ir, node);
  const of = node === undefined ? {} : { node };
  const called = name === undefined ? {} : { name };
  return { kind: "event", on, ...of, ...called, ...limited(at.graph, breakpoint, at.name) };
}

function costPlace(ir: Ir, breakpoint: Of<"costAbove">): BreakpointPlace {
  const { costAbove: above } = breakpoint;
  if (!(above >= 0)) throw unreadable(`the cost ${above}`, { hint: "it is in dollars, 0 or more" });
  return { kind: "cost", above, ...limited(ir, breakpoint) };
}

function limited(graph: Ir | undefined, { if: text, hits }: BreakpointCondition, node?: string) {
  if (hits !== undefined && !(Number.isInteger(hits) && hits >= 1)) {
    throw unreadable(`hits ${hits}`, { hint: "a whole number, from 1" });
  }
  const from = hits === undefined ? {} : { from: hits };
  if (text === undefined) return from;
  // What a plan will have for fields, nobody knows before.
  if (graph === undefined)
    throw unreadable(`the condition \`${text}\``, {
      hint: "its graph is made of a plan, and is not there yet",
    });
  return { ...from, condition: readCondition(graph, text, node), typed: text };
}

function readCondition(graph: Ir, text: string, node: string | undefined) {
  const variables = graph.nodes.find(({ name }) => name === node)?.each;
  const around = variables === undefined ? [] : [variables.replace(/#\d+$/, "")];
  const read = expressionIn(graph, text, {
    ...(node === undefined ? {} : { node }),
    variables: around,
  });
  if (read.expression !== undefined) return read.expression;
  const [first] = read.diagnostics;
  throw unreadable(`the condition \`${text}\``, {
    why: `${first?.message ?? "nothing is there"} (column ${first?.column ?? 1})`,
    hint: first?.hint ?? "an expression of the language, such as `notes.length > 3`",
  });
}

function unreadable(what: string, { why, hint }: { why?: string; hint: string }): RunError {
  return new RunError("M5450", `${what} can't be read${why === undefined ? "" : `: ${why}`}`, {
    hint,
  });
}

interface ReadPlace {
  /** The graph that the node is of; nobody knows it of a plan that is not made yet. */
  readonly graph: Ir | undefined;
  readonly name: string;
  /** The graph that it calls, if it calls one that is known. */
  readonly called: Ir | undefined;
}

/** Throws M5003 for a place that is not there: `search`, or `go/search` in the graph that `go` calls. */
function assertNode(ir: Ir, place: string): ReadPlace {
  let at: ReadPlace = { graph: ir, name: "", called: ir };
  for (const name of place.split("/")) {
    const graph: Ir | undefined = at.called;
    // What a plan will have for steps, nobody knows before.
    if (graph === undefined) return { graph, name, called: undefined };
    const [ownName = "", tool] = name.split(".");
    const node: NodeIr | undefined = graph.nodes.find((one) => one.name === ownName);
    if (node === undefined) throw noNode(graph, name);
    at = { graph, name, called: calledGraph(graph, tool ?? node.call?.callee.join(".") ?? "") };
  }
  return at;
}

/** As `assertNode`, also of `start` and `go/start`. */
function assertSource(ir: Ir, place: string): ReadPlace {
  if (place === "start") return { graph: ir, name: place, called: undefined };
  if (!place.endsWith("/start")) return assertNode(ir, place);
  const { called } = assertNode(ir, place.slice(0, -"/start".length));
  return { graph: called, name: "start", called: undefined };
}

function noNode({ name: graph, nodes }: Ir, node: string): RunError {
  return new RunError("M5003", `\`${graph}\` has no node \`${node}\` to stop at`, {
    hint: `its nodes: ${nodes.map(({ name }) => name).join(", ")}`,
  });
}
