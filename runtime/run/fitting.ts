/** Whether a run can go on with a program of another shape, and what keeps it from that. */
import { canonicalJson, type Ir, type NodeIr, withoutSpans } from "../../dsl/index.ts";
import type { LogRecord } from "../records.ts";
import type { FlowOp } from "../scheduler/flow-op.ts";
import { foldLog } from "../scheduler/fold.ts";
import { link } from "../scheduler/link.ts";
import type { Program } from "../scheduler/program.ts";
import type { Snapshot } from "../scheduler/snapshot.ts";
import { aligned, type Renamed } from "./aligned.ts";
import { isSameShape, nodeShape } from "./same-shape.ts";
import { stateOf } from "./state-of.ts";

export interface Change {
  readonly before: Ir;
  readonly after: Ir;
  readonly renamed: Renamed;
  /** Nodes that are under way may be of another kind, or write something else. */
  readonly isForced: boolean;
}

export interface Fitted {
  /** The program that it goes on with. */
  readonly ir: Ir;
  /** One line for each thing that keeps it from that. */
  readonly blocks: readonly string[];
}

/** Looks at what the log has come to, with the one program and with the other. */
export function fitted(records: readonly LogRecord[], change: Change): Fitted {
  const { before, after, renamed } = change;
  if (isSameShape(before, after)) return { ir: after, blocks: [] };
  const ir = aligned(before, after, renamed);
  const declared = ofDeclarations(change);
  if (declared.length > 0) return { ir, blocks: declared };
  const programs = { before: link(before), after: link(ir) };
  const then = foldLog(programs.before, records);
  const missing = ofNodes(programs.before, then, change);
  // What is said of arrows may only follow from what is said of their nodes.
  const blocks = missing.length > 0 ? missing : ofLog(records, programs, renamed);
  if (blocks.length > 0) return { ir, blocks };
  return { ir, blocks: isSameState(records, programs, then) ? [] : ["its state would be another"] };
}

interface Programs {
  readonly before: Program;
  readonly after: Program;
}

/** What a log says by values stays as it is: parameters, fields, types. Fields that are gone do no harm. */
function ofDeclarations({ before, after }: Change): readonly string[] {
  return [
    ...changed("field", before.fields, after.fields),
    ...added("field", before.fields, after.fields),
    ...changed("type", before.types, after.types),
    ...(isSame(before.params, after.params) ? [] : ["its parameters are others"]),
  ];
}

interface Named {
  readonly name: string;
}

function changed(
  what: string,
  before: readonly Named[],
  after: readonly Named[],
): readonly string[] {
  return before.flatMap((one) => {
    const now = after.find(({ name }) => name === one.name);
    return now === undefined || isSame(one, now) ? [] : [`${what} \`${one.name}\` is another`];
  });
}

function added(what: string, before: readonly Named[], after: readonly Named[]): readonly string[] {
  const known = new Set(before.map(({ name }) => name));
  return after
    .filter(({ name }) => !known.has(name))
    .map(({ name }) => `${what} \`${name}\` is new`);
}

const PLAIN: readonly FlowOp["op"][] = ["activate", "end", "write", "count"];

/** Tokens side by side, joins, items and waits are in a log by numbers that another program has for something else. */
function ofLog(
  records: readonly LogRecord[],
  { before, after }: Programs,
  renamed: Renamed,
): readonly string[] {
  const ops = records.flatMap((record) => ("flow" in record ? record.flow : []));
  const isPlain = ops.every(
    (op) => PLAIN.includes(op.op) && (op.op !== "activate" || op.node < before.ir.nodes.length),
  );
  const calls = records.some(({ kind }) => kind === "sub");
  const counts = ops.some(({ op }) => op === "count");
  return [
    ...(isPlain ? [] : ["it has had branches, items or timed arrows under way"]),
    ...(calls ? ["it has called a graph"] : []),
    ...(counts && !isSame(countedIn(before, renamed), countedIn(after, {}))
      ? ["its arrows with `max` are others"]
      : []),
  ];
}

/** The arrows that a log counts, in the order of their numbers. */
function countedIn({ routeNumbers }: Program, renamed: Renamed): unknown {
  const routes = JSON.stringify([...routeNumbers.keys()]);
  return JSON.parse(routes, (key, value: unknown) =>
    key === "node" && typeof value === "string" ? (renamed[value] ?? value) : value,
  );
}

/** What is under way must be there. */
function ofNodes(program: Program, then: Snapshot, change: Change): readonly string[] {
  const { after, renamed, isForced } = change;
  return [...then.open.values()].flatMap(({ node }) => {
    const was = program.nodes[node]?.ir;
    if (was === undefined) return [];
    const now = after.nodes.find(({ name }) => name === (renamed[was.name] ?? was.name));
    if (now === undefined) return [`\`${was.name}\` is under way and is gone`];
    if (isForced || isSame(shapeOf(was), shapeOf(now))) return [];
    return [`\`${was.name}\` is under way and is another`];
  });
}

function shapeOf(node: NodeIr): unknown {
  return nodeShape({ ...node, name: "" });
}

function isSameState(
  records: readonly LogRecord[],
  { before, after }: Programs,
  then: Snapshot,
): boolean {
  const now = foldLog(after, records);
  const known = before.ir.fields.map(({ name }) => name);
  const of = (program: Program, snapshot: Snapshot) => {
    const state = stateOf(program, snapshot)();
    return known.map((name) => state[name] ?? null);
  };
  return isSame(of(before, then), of(after, now));
}

function isSame(one: unknown, other: unknown): boolean {
  return canonicalJson(withoutSpans(one)) === canonicalJson(withoutSpans(other));
}
