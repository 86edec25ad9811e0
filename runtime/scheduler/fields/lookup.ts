/** Resolves names at a place of a run: in a node, or on the way from one node to the next. */
import type { ExprIr, Ir } from "../../../dsl/index.ts";
import type { Sent } from "../../envelope.ts";
import { plain } from "../../state/shared-list.ts";
import { NOW, resultOf } from "../expressions/calls.ts";
import { evaluate, type Lookup, type ScopeCall } from "../expressions/evaluate.ts";
import { shownMessage } from "../messages/mail.ts";
import type { Program } from "../program/program.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";
import { shownArtifact } from "./artifacts.ts";
import { keptView, viewOf } from "./frame-view.ts";
import { ownValue } from "./instances.ts";

export interface Standpoint {
  readonly frame: number;
  readonly scope: number;
  readonly args?: Readonly<Record<string, unknown>> | undefined;
  /** The output of the node that has just run. */
  readonly result?: unknown;
  /** What the node found in its inbox. */
  readonly inbox?: readonly Sent[] | undefined;
  /** The node itself: of the others it is told as its team. */
  readonly node?: number;
  /** Of a node with `every`: which round of it, from 1. */
  readonly round?: number | undefined;
  /** An item that has no scope yet: the `each` asks whether it should run. */
  readonly item?: { readonly variable: string; readonly value: unknown };
}

export function lookupAt(program: Program, snapshot: Snapshot, at: Standpoint): Lookup {
  return (name, of) => {
    switch (of) {
      case "variable":
        return at.item?.variable === name
          ? at.item.value
          : itemOf(program, snapshot, at.scope, name);
      case "argument":
        return at.args?.[name];
      case "param":
        return ownMember(snapshot.input, name);
      case "field":
        return fieldAt(program, snapshot, at, name);
      case "special":
        return specialOf(program, snapshot, at, name);
      case "config":
        return settingOf(program.ir, name, snapshot.config);
      case "scope":
        return (call: ScopeCall) => resultOf(program.functions, { name, ...call });
      case "model":
      case "memory":
        return undefined;
    }
  };
}

function fieldAt(program: Program, snapshot: Snapshot, at: Standpoint, name: string): unknown {
  const index = program.fieldNumbers.get(name) ?? -1;
  return program.fields[index]?.ir.scope === "agent"
    ? ownValue(snapshot, at.scope, index)
    : keptView(snapshot, at.frame, index);
}

/** The state as a node sees it, by field name, with the run's input. */
export function stateAt(program: Program, snapshot: Snapshot, frame: number) {
  const fields = program.fields.flatMap(({ ir, index, implied }) =>
    ir.scope === "agent" || implied !== undefined
      ? []
      : [[ir.name, viewOf(snapshot, frame, index)] as const],
  );
  return { ...snapshot.input, ...Object.fromEntries(fields) };
}

/** The state that people see, by field name. */
export function shownState(
  program: Program,
  { shown }: Pick<Snapshot, "shown">,
): Record<string, unknown> {
  return Object.fromEntries(
    program.fields.flatMap(({ ir, index }) => {
      const one = shown.get(index);
      return one === undefined ? [] : [[ir.name, plain(one.value)] as const];
    }),
  );
}

/** One field of it; `undefined` where nobody has written it. */
export function shownField(
  program: Program,
  { shown }: Pick<Snapshot, "shown">,
  name: string,
): unknown {
  return plain(shown.get(program.fieldNumbers.get(name) ?? -1)?.value);
}

/** The value of an `each` variable: the item whose scope this is, or the nearest one around it that has the name. */
export function itemOf(program: Program, snapshot: Snapshot, scope: number, name: string): unknown {
  for (let at = snapshot.scopes.get(scope); at !== undefined; at = snapshot.scopes.get(at.parent)) {
    if (at.detached !== undefined) return ownMember(at.detached, name);
    const expansion = snapshot.expansions.get(at.expansion);
    if (expansion === undefined) return undefined;
    if (program.eaches[expansion.each]?.ir.variable === name) {
      return at.streamed === undefined ? expansion.items[at.index] : at.streamed.value;
    }
  }
  return undefined;
}

function specialOf(program: Program, snapshot: Snapshot, at: Standpoint, name: string): unknown {
  switch (name) {
    case "result":
      return at.result;
    case "state":
      return stateAt(program, snapshot, at.frame);
    case "artifacts":
      return snapshot.artifacts.map(shownArtifact);
    case "inbox":
      return (at.inbox ?? []).map(shownMessage);
    case "team":
      return teamOf(program, at.node);
    case "run":
      return runWords(program, snapshot, at);
    default:
      return undefined;
  }
}

function runWords(
  program: Program,
  { usage, steps, activeMs }: Snapshot,
  { round }: Standpoint,
): object {
  const of = round === undefined ? {} : { round };
  const words = { cost: usage.costUsd, steps, time: activeMs, ...of };
  // Who shows the whole of it reads no clock.
  const now = () => resultOf(program.functions, { name: NOW, args: [] }).value;
  return Object.defineProperty(words, "now", { get: now, enumerable: false });
}

/** Not what every object has: a parameter may be called `toString`. */
export function ownMember(of: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(of, name) ? of[name] : undefined;
}

/** A setting of the file, unless the run has another one; it may name those above it. */
export function settingOf(
  { config }: Pick<Ir, "config">,
  name: string,
  given: Readonly<Record<string, unknown>> = {},
): unknown {
  if (Object.hasOwn(given, name)) return given[name];
  const at = config.findIndex(({ key }) => key === name);
  const above = { config: config.slice(0, Math.max(0, at)) };
  const entry = config[at];
  const lookup: Lookup = (other, of) =>
    of === "config" ? settingOf(above, other, given) : undefined;
  return entry && evaluate(entry.value, lookup);
}

/** The value of an expression that needs no run. */
export function constant(expression: ExprIr): unknown {
  const noNames = (): undefined => undefined;
  return evaluate(expression, noNames);
}

/** Lists the other nodes that have a description, each with the names of its tools. */
function teamOf({ nodes }: Program, node: number | undefined): readonly unknown[] {
  return nodes.flatMap(({ index, ir: { name, description, tools } }) =>
    description === undefined || index === node
      ? []
      : [{ name, description, tools: tools.map((tool) => tool.join(".")) }],
  );
}
