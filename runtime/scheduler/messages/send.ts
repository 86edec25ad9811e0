/** Builds the messages that a commit sends: what its node tells, and what goes with work it hands over. */
import type { Tell } from "../../command.ts";
import type { Delivery, MessageKind, MessageMarks, Sent } from "../../envelope.ts";
import type { Directions } from "../../records/directions.ts";
import {
  eachesAround,
  eachesOf,
  type Outlet,
  type Program,
  targetsOf,
} from "../program/program.ts";
import type { NodeRun, Snapshot } from "../snapshot/snapshot.ts";
import type { FlowOp } from "../tokens/flow-op.ts";

/** A commit whose tokens have moved: what is told goes where they went. */
interface SettledCommit {
  readonly program: Program;
  readonly snapshot: Snapshot;
  readonly flow: readonly FlowOp[];
  readonly at: number;
}

/** Work that moves to a node run, and what is said with it. */
export interface WorkHandedOver {
  readonly node: string;
  readonly run: number;
  readonly kind: MessageKind;
  readonly payload: unknown;
  readonly marks?: MessageMarks;
}

interface CommitWords {
  readonly output: unknown;
  readonly given: readonly WorkHandedOver[];
  /** The position before the commit, in which its node run stands. */
  readonly before: Snapshot;
  /** What a command says of it. */
  readonly as?: Tell | undefined;
}

/** The messages of a settled commit, in the order in which they are sent. */
export function messagesOf(
  draft: SettledCommit,
  run: NodeRun,
  { output, given, before, as = {} }: CommitWords,
): readonly Sent[] {
  const tell = draft.program.nodes[run.node]?.ir.tell;
  if (tell === undefined && given.length === 0) return [];
  const group = fanOutOf(before, run.scope);
  const to = (letter: Omit<Letter, "index" | "group">, index: number) =>
    letterOf(draft, run, { ...letter, index, ...(group === undefined ? {} : { group }) });
  const handed = given.map(({ node, run: id, kind, payload, marks = {} }) => ({
    receiver: node,
    kind,
    payload,
    ...marksOf(marks),
    to: [{ node: draft.program.nodeNumbers.get(node) ?? -1, scope: run.scope, run: id }],
  }));
  const kind = (tell?.as ?? "observation") as MessageKind;
  const payload = as.payload === undefined ? output : as.payload;
  const said = { kind, payload, ...marksOf(as) };
  const told =
    tell === undefined
      ? []
      : tell.targets === "*"
        ? [{ receiver: null, ...said, to: followers(draft) }]
        : tell.targets.map((name) => ({
            receiver: name,
            ...said,
            to: [inboxAt(draft, run, name)],
          }));
  return [...handed, ...told].map(to);
}

function marksOf({ topic, priority }: MessageMarks): MessageMarks {
  return {
    ...(topic === undefined ? {} : { topic }),
    ...(priority === undefined ? {} : { priority }),
  };
}

interface Letter extends MessageMarks {
  readonly group?: number;
  readonly index: number;
  readonly receiver: string | null;
  readonly kind: MessageKind;
  readonly payload: unknown;
  readonly to: readonly Delivery[];
}

function letterOf(
  { program, at }: SettledCommit,
  run: NodeRun,
  { index, payload, ...rest }: Letter,
): Sent {
  const inbox = run.inbox ?? [];
  const replyTo = latestOf(inbox.filter(({ sender }) => sender === rest.receiver))?.id;
  return {
    id: `m${run.id}.${index + 1}`,
    sender: program.nodes[run.node]?.ir.name ?? "",
    ...rest,
    payload: payload ?? null,
    artifacts: (run.made ?? []).map(({ id }) => id),
    ...(replyTo === undefined ? {} : { replyTo }),
    ...(inbox.length === 0 ? {} : { causedBy: inbox.map(({ id }) => id) }),
    createdAt: at,
  };
}

/** The one that was sent last: an inbox has the urgent ones first. */
function latestOf(messages: readonly Sent[]): Sent | undefined {
  return messages.reduce<Sent | undefined>(
    (latest, one) => (latest === undefined || one.createdAt >= latest.createdAt ? one : latest),
    undefined,
  );
}

/** The innermost fan-out around a scope. */
function fanOutOf({ scopes, expansions }: Snapshot, scope: number): number | undefined {
  for (let at = scopes.get(scope); at !== undefined; at = scopes.get(at.parent)) {
    if (at.detached === undefined && expansions.get(at.expansion) !== undefined)
      return at.expansion;
  }
  return undefined;
}

/** The inbox of a node for what is sent from a scope: in the innermost scope that is around both. */
function inboxAt({ program, snapshot }: SettledCommit, run: NodeRun, name: string): Delivery {
  const node = program.nodeNumbers.get(name) ?? -1;
  return { node, scope: meeting(program, snapshot, run.scope, program.nodes[node]?.each ?? -1) };
}

function meeting(
  program: Program,
  { scopes, expansions }: Snapshot,
  from: number,
  each: number,
): number {
  const around = eachesAround(program.eaches, each);
  for (let at = scopes.get(from); at !== undefined; at = scopes.get(at.parent)) {
    // Who goes on by itself talks to those that it left behind.
    if (at.detached !== undefined) continue;
    const expansion = expansions.get(at.expansion);
    if (expansion === undefined || around.includes(expansion.each)) return at.id;
  }
  return 0;
}

/** The nodes that follow a commit: the runs it made due, and those behind the joins and `each`es it led to. */
function followers({ program, flow }: SettledCommit): readonly Delivery[] {
  const runs = flow.flatMap((op): readonly Delivery[] =>
    // The next round of a sentinel follows nobody but itself.
    op.op === "activate" && op.iteration === undefined && program.nodes[op.node]?.isWait !== true
      ? [{ node: op.node, scope: op.scope, run: op.id }]
      : [],
  );
  const later = flow.flatMap((op): readonly Delivery[] => {
    const outlet =
      op.op === "arrive"
        ? program.joins[op.join]?.outlet
        : op.op === "expand"
          ? program.eaches[op.each]?.entry
          : op.op === "activate" && program.nodes[op.node]?.isWait === true
            ? program.nodes[op.node]?.outlet
            : undefined;
    if (outlet === undefined || !("scope" in op)) return [];
    return nodesBehind(program, outlet).map((node) => ({ node, scope: op.scope }));
  });
  const due = new Set(runs.map(({ node }) => node));
  const seen = new Set<number>();
  const unseen = later.filter(({ node }) => !due.has(node) && !seen.has(node) && seen.add(node));
  return [...runs, ...unseen];
}

/** The nodes that an outlet leads to, past joins and into `each`es. */
function nodesBehind(
  program: Program,
  { edges, joins }: Outlet,
  passed = new Set<number>(),
): readonly number[] {
  const direct = edges.flatMap(({ route }) => [
    ...targetsOf(route).flatMap(({ node }) => program.nodeNumbers.get(node) ?? []),
    ...eachesOf(route).flatMap(({ id }) => {
      const entry = program.eaches.find(({ ir }) => ir.id === id)?.entry;
      return entry === undefined ? [] : nodesBehind(program, entry, passed);
    }),
  ]);
  const joined = joins.flatMap(({ join }) => {
    const outlet = program.joins[join]?.outlet;
    if (outlet === undefined || passed.has(join)) return [];
    return nodesBehind(program, outlet, passed.add(join));
  });
  return [...direct, ...joined];
}

/** Builds the messages that go with work a node hands over or sends; `sent` are the node runs that it has started. */
export function givenWith(
  { flow, program }: SettledCommit,
  { goto, handoff, orders }: Directions,
  sent: readonly number[],
): readonly WorkHandedOver[] {
  if (handoff !== undefined && goto !== undefined) {
    const target = program.nodeNumbers.get(goto);
    const started = flow.findLast((op) => op.op === "activate" && op.node === target);
    if (started?.op !== "activate") return [];
    return [{ node: goto, run: started.id, kind: "handoff", payload: handoff }];
  }
  return (orders?.send ?? []).flatMap(
    ({ to, task, payload, ...marks }, index): readonly WorkHandedOver[] => {
      const run = sent[index];
      if (run === undefined || (task === undefined && payload === undefined)) return [];
      const said = task === undefined ? payload : payload === undefined ? task : { task, payload };
      return [{ node: to, run, kind: "task", payload: said, marks }];
    },
  );
}
