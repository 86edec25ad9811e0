/**
 * A plan that is replaced while it runs: what has ended keeps its result, and a step under way that the new plan has just
 * so goes on as it is, in the same attempt. Everything else begins by the new plan.
 */
import { canonicalJson, type ExprIr } from "../../../dsl/index.ts";
import type { Carried, ModifyRecord } from "../../records/control-records.ts";
import type { RecordBody } from "../../records/records.ts";
import { updateWaiting } from "../interrupts/interrupts.ts";
import { restartNodeRun } from "../interventions/restart-node-run.ts";
import { shownState } from "../lookup.ts";
import type { Program } from "../program/program.ts";
import { asDraft, type SnapshotDraft, updateSleep } from "../snapshot/draft.ts";
import { type Child, must, type NodeRun, ROOT, type Snapshot } from "../snapshot/snapshot.ts";

/** Returns the steps of a running plan that stay when another plan replaces it. */
export function keptOf(child: Child, plan: unknown): Pick<ModifyRecord, "done" | "rounds"> {
  const results = resultsOf(child);
  const going = [...goingOn(child, plan).keys()];
  const rounds = going.flatMap((id) => (results[id] == null ? [] : [[id, results[id]]]));
  const done = doneIn(child);
  return rounds.length === 0 ? { done } : { done, rounds: Object.fromEntries(rounds) };
}

/** Returns the outputs of the ended steps of a plan's graph. */
export function doneIn(child: Child): Readonly<Record<string, unknown>> {
  const { program, snapshot } = child;
  const open = new Set([...snapshot.open.values()].map(({ node }) => node));
  const ended = program.nodes.filter(
    ({ index }) => (snapshot.ordinals.get(index) ?? 0) > 0 && !open.has(index),
  );
  const ids = ended.flatMap(({ index }) => stepAt(program, index) ?? []);
  const own = Object.entries(resultsOf(child)).filter(([id]) => ids.includes(id));
  return { ...(snapshot.input.done as object | undefined), ...Object.fromEntries(own) };
}

function resultsOf({ program, snapshot }: Child): Readonly<Record<string, unknown>> {
  const { results = {} } = shownState(program, snapshot) as { readonly results?: object };
  return results as Readonly<Record<string, unknown>>;
}

/** The step that a node of a plan's graph does: it writes `results = { id: result }`. */
function stepAt({ nodes }: Program, node: number): string | undefined {
  const written: ExprIr | undefined = nodes[node]?.ir.writes[0]?.value;
  return written?.kind === "object" ? written.entries[0]?.key : undefined;
}

/** The open node runs of the steps that another plan has just so, by the ids of the steps. */
function goingOn({ program, snapshot }: Child, plan: unknown): ReadonlyMap<string, NodeRun> {
  const [before, after] = [stepTexts(snapshot.input.plan), stepTexts(plan)];
  const found = [...snapshot.open.values()].flatMap((run): [string, NodeRun][] => {
    const id = stepAt(program, run.node);
    const isSame = id !== undefined && before.get(id) === after.get(id);
    return isSame ? [[id, run]] : [];
  });
  return new Map(found);
}

/** Each step as one text, whatever the order of its members; what is null is not there. */
function stepTexts(plan: unknown): ReadonlyMap<string, string> {
  const { steps } = plan as { readonly steps: readonly Readonly<Record<string, unknown>>[] };
  return new Map(
    steps.map((step) => {
      const said = Object.entries(step).filter(([, value]) => value != null);
      return [String(step.id), canonicalJson(Object.fromEntries(said))];
    }),
  );
}

/** The records with which a plan's graph begins in the place of another, which say who goes on. */
export function withCarried(
  before: Child | undefined,
  program: Program,
  records: readonly RecordBody[],
): readonly RecordBody[] {
  const [first, ...more] = records;
  if (before?.modified === undefined || first?.kind !== "run") return records;
  const going = goingOn(before, before.modified.plan);
  const carried = first.flow.flatMap((op): Carried[] => {
    const from = op.op === "activate" ? going.get(stepAt(program, op.node) ?? "") : undefined;
    return op.op === "activate" && from !== undefined ? [{ from: from.id, id: op.id }] : [];
  });
  return carried.length === 0 ? records : [{ ...first, carried }, ...more];
}

/** A plan's graph that has begun, with the node runs of the one before that go on in it. */
export function carriedOver(
  { program, before, at }: { readonly program: Program; before: Snapshot; readonly at: number },
  begun: Snapshot,
  carried: readonly Carried[] = [],
): Snapshot {
  const draft = asDraft({ ...begun });
  keepSessions(before, draft);
  for (const one of carried) carry(before, draft, one);
  updateWaiting(draft, at);
  updateSleep(program, draft, at);
  return draft;
}

/** Steps that have ended may have left some. */
function keepSessions({ scopes }: Snapshot, draft: SnapshotDraft): void {
  const sessions = scopes.get(ROOT)?.sessions;
  const root = must(draft.scopes, ROOT, "scope");
  if (sessions !== undefined) draft.scopes = draft.scopes.set(ROOT, { ...root, sessions });
}

/** It keeps its number and its name, its journal with them, and takes the place of the one that was to begin. */
function carry(before: Snapshot, draft: SnapshotDraft, { from, id }: Carried): void {
  const was = must(before.open, from, "node run");
  const run = was.status === "stopped" ? restartNodeRun(was) : was;
  const { node, frame, seq, scope: at } = must(draft.open, id, "node run");
  const scope = must(draft.scopes, at, "scope");
  draft.open = draft.open.delete(id).set(from, { ...run, node, frame, seq, scope: at });
  draft.scopes = draft.scopes.set(at, { ...scope, turns: scope.turns.set(node, [from]) });
  draft.ordinals = draft.ordinals.set(node, run.ordinal);
  const asked = before.interrupts.get(from);
  if (asked !== undefined) draft.interrupts = draft.interrupts.set(from, asked);
  const heard = before.mail.heard.get(from);
  if (heard !== undefined) draft.mail = { ...draft.mail, heard: draft.mail.heard.set(from, heard) };
}
