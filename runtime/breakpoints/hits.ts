/** Finds the breakpoint that a run has reached. */
import type { Sent } from "../envelope.ts";
import { innermost, type RecordBody } from "../records/records.ts";
import type { Advance } from "../scheduler/advance.ts";
import { type Located, locate } from "../scheduler/called-snapshots.ts";
import type { Lookup } from "../scheduler/expressions/evaluate.ts";
import type { FlowOp } from "../scheduler/flow/flow-op.ts";
import { lookupAt } from "../scheduler/lookup.ts";
import { inboxOf } from "../scheduler/mail.ts";
import { eachesOf, type Program, targetsOf } from "../scheduler/program/program.ts";
import { type NodeRun, ROOT, type Snapshot } from "../scheduler/snapshot/snapshot.ts";
import { isJsonEqual } from "../state/json.ts";
import { valueAt } from "../state/path.ts";
import { plain } from "../state/persistent.ts";
import type { BreakpointPlace } from "./breakpoint-types.ts";
import type { Breakpoints } from "./breakpoints.ts";
import { answerOf } from "./unanswered.ts";

/** A breakpoint, and the node run that came to it. */
export interface BreakpointHit {
  readonly place: BreakpointPlace;
  readonly found: Located;
}

interface Come {
  /** The node run, and how its graph stands when its condition is asked. */
  readonly found: Located;
  readonly breakpoints: Breakpoints;
  /** The result of the node. */
  readonly result?: unknown;
}

/** The one at a side of a node. */
export function hitAtNode(
  come: Come & { readonly when: "before" | "after" },
): BreakpointPlace | undefined {
  const name = nameOf(come.found);
  return firstOf(come, (place) => {
    if (place.kind === "edge") return come.when === "before" && startsBy(place, come.found);
    return place.kind === "node" && place.node === name && place.when === come.when;
  });
}

/** Returns whether this arrow from the start activates the node run, in its first attempt. */
function startsBy(
  { node, to }: BreakpointPlace & { readonly kind: "edge" },
  found: Located,
): boolean {
  const { run, program } = found;
  if (node !== `${pathOf(found)}start` || program.nodes[run.node]?.ir.name !== to) return false;
  return run.attempt === 1 && run.reason === "first" && isFirst(run);
}

/**
 * Returns whether nothing precedes the node run in the order of the graph: it is at the start, in a branch of the
 * start, or an item of the start.
 */
function isFirst({ key, scope }: NodeRun): boolean {
  const [first, , ...rest] = key;
  if (key.length === 1) return first === 0;
  const isOfStart = first === -1 || (first === 0 && scope !== ROOT);
  // Behind the place of a fork stand the branch and the position in it, in turns.
  return isOfStart && rest.every((position, index) => index % 2 === 1 || position === 0);
}

/** The one before a tool's call. */
export function hitByCall(come: Come, tool: string): BreakpointPlace | undefined {
  const node = nameOf(come.found);
  return firstOf(come, (place) => isEvent(place, "tool", { node, name: tool }));
}

/** The one on a file that a strong agent has told of: by its path, or by the last parts of it. */
export function hitByFile(come: Come, path: string): BreakpointPlace | undefined {
  const node = nameOf(come.found);
  return firstOf(come, (place) => {
    if (place.kind !== "event") return false;
    const isIt = place.name === path || path.endsWith(`/${place.name}`);
    return isEvent(place, "file", { node, name: isIt ? place.name : path });
  });
}

/** The one that a failure in these records comes to: of an attempt, or a limit that asks. */
export function hitByFailure(
  come: Come,
  records: readonly RecordBody[],
): BreakpointPlace | undefined {
  const kinds = new Set(records.flatMap((record) => failureIn(innermost(record))));
  if (kinds.size === 0) return undefined;
  const node = nameOf(come.found);
  return firstOf(come, (place) => [...kinds].some((kind) => isEvent(place, kind, { node })));
}

function failureIn(record: RecordBody): readonly ("error" | "limit")[] {
  if (record.kind === "interrupt" && record.ask === "limit") return ["limit"];
  if (record.kind !== "attempt" || record.failure.class === "aborted") return [];
  return [record.failure.class === "limit" ? "limit" : "error"];
}

interface HitScene {
  readonly program: Program;
  readonly snapshot: Snapshot;
  readonly breakpoints: Breakpoints;
}

/** The first one behind what was decided; `withFailures` where nobody was asked before it whether a failure holds the run. */
export function hitBehind(
  scene: HitScene,
  result: Advance,
  { withFailures }: { readonly withFailures: boolean },
): BreakpointHit | undefined {
  const { breakpoints } = scene;
  // What has no known price is taken to cost nothing here, as limits take it.
  const [before = 0, now = 0] = [scene.snapshot, result.snapshot].map(
    (one) => one.usage.costUsd ?? 0,
  );
  const isDearer = (above: number) => before <= above && now > above;
  for (const record of result.records) {
    const inner = innermost(record);
    if (!("id" in inner) || inner.id === undefined) continue;
    const found = locate(scene.program, scene.snapshot, inner.id);
    if (found === undefined) continue;
    // Its condition asks what the record has made of the state.
    const behind = { ...found, snapshot: inside(result.snapshot, found) };
    const output = inner.kind === "commit" ? inner.output : undefined;
    const come = { found: behind, breakpoints, result: output };
    const place = firstOf(come, (one) =>
      one.kind === "cost" ? isDearer(one.above) : isBehind(one, { inner, before: found, behind }),
    );
    if (place !== undefined) return { place, found };
    const failed = withFailures ? hitByFailure(come, [inner]) : undefined;
    if (failed !== undefined) return { place: failed, found };
  }
  return undefined;
}

interface Behind {
  readonly inner: RecordBody;
  readonly before: Located;
  readonly behind: Located;
}

function isBehind(place: BreakpointPlace, { inner, before, behind }: Behind): boolean {
  const node = nameOf(before);
  switch (place.kind) {
    case "node":
      return inner.kind === "commit" && place.when === "after" && place.node === node;
    case "edge":
      return place.node === node && flowOf(inner).some((op) => leadsTo(op, place.to, before));
    case "watch":
      return place.path === pathOf(before) && changes(place, { inner, before, behind });
    case "event":
      return isTold(place, inner, node);
    case "cost":
      return false;
  }
}

function isTold(
  place: BreakpointPlace & { readonly kind: "event" },
  inner: RecordBody,
  node: string,
): boolean {
  if (inner.kind === "interrupt") {
    const kind = inner.ask === "approval" || inner.ask === "review" ? "approval" : undefined;
    return (
      isEvent(place, "question", { node }) || (kind !== undefined && isEvent(place, kind, { node }))
    );
  }
  if (inner.kind !== "commit") return false;
  return (inner.messages ?? []).some(({ kind }) => isEvent(place, "message", { node, name: kind }));
}

function isEvent(
  place: BreakpointPlace,
  on: (BreakpointPlace & { readonly kind: "event" })["on"],
  of: { readonly node: string; readonly name?: string | undefined },
): boolean {
  if (place.kind !== "event" || place.on !== on) return false;
  const isItsNode = place.node === undefined || place.node === of.node;
  return isItsNode && (place.name === undefined || place.name === of.name);
}

function flowOf(record: RecordBody): readonly FlowOp[] {
  return "flow" in record ? (record.flow ?? []) : [];
}

/** Returns whether an operation sends a token to this node, or to a join from which one would follow. */
function leadsTo(op: FlowOp, target: string, { program }: Located): boolean {
  switch (op.op) {
    case "activate":
      return program.nodes[op.node]?.ir.name === target;
    case "end":
    case "return":
      return target === op.op;
    case "arrive":
      return (program.joins[op.join]?.outlet.edges ?? []).some(({ route }) =>
        [route, ...eachesOf(route).map(({ entry }) => entry)]
          .flatMap(targetsOf)
          .some(({ node }) => node === target),
      );
    default:
      return false;
  }
}

/** Returns whether a record changes the watched value. */
function changes(
  { field, rest }: BreakpointPlace & { readonly kind: "watch" },
  { inner, before, behind }: Behind,
): boolean {
  if (!("patches" in inner) || inner.patches?.some(({ path }) => path[0] === field) !== true) {
    return false;
  }
  const index = before.program.fieldNumbers.get(field) ?? -1;
  const valueIn = ({ snapshot }: Located) => valueAt(plain(snapshot.shown.get(index)?.value), rest);
  return !isJsonEqual(valueIn(before), valueIn(behind));
}

/** The snapshot of the graph that a node run is of, in a later one of its run. */
function inside(snapshot: Snapshot, { callers }: Located): Snapshot {
  return callers.reduce(
    (outer, { run }) => outer.children.get(run.id)?.snapshot ?? outer,
    snapshot,
  );
}

/** The first place of this kind whose condition holds, this time. */
function firstOf(come: Come, is: (place: BreakpointPlace) => boolean): BreakpointPlace | undefined {
  let lookup: Lookup | undefined;
  let first: BreakpointPlace | undefined;
  for (const place of come.breakpoints.places) {
    if (!is(place)) continue;
    lookup ??= lookupOf(come);
    if (!isMet(place, come, lookup)) continue;
    // Every one of them counts, also behind the one that holds the run.
    if (come.breakpoints.counts(place)) first ??= place;
  }
  return first;
}

function lookupOf({ found, result }: Come): Lookup {
  const { program, snapshot, run } = found;
  const frame = snapshot.frames.get(run.frame) === undefined ? ROOT : run.frame;
  const scope = snapshot.scopes.get(run.scope) === undefined ? ROOT : run.scope;
  const args = run.args === undefined ? {} : { args: run.args };
  const inbox: readonly Sent[] = run.inbox ?? inboxOf(snapshot, run);
  return lookupAt(program, snapshot, { frame, scope, inbox, result, ...args });
}

/** A condition without an answer, as for a field that is not written, holds nobody, and is told. */
function isMet(place: BreakpointPlace, { found, breakpoints }: Come, lookup: Lookup): boolean {
  if (place.condition === undefined) return true;
  const answer = answerOf(place.condition, lookup);
  if (typeof answer === "boolean") return answer;
  breakpoints.warnings.tell(place, { found, why: answer });
  return false;
}

/** `search`, or `go/search` in the graph that `go` calls. */
export function nameOf(found: Located): string {
  return `${pathOf(found)}${found.program.nodes[found.run.node]?.ir.name ?? ""}`;
}

function pathOf({ callers }: Located): string {
  return callers.map(({ node }) => `${node}/`).join("");
}
