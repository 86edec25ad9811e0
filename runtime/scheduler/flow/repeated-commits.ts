/** Detects loops that do nothing: one node, or two in turn, that commit again and leave the state as it was. */
import type { Ir, LimitIr } from "../../../dsl/index.ts";
import { isJsonEqual } from "../../state/json.ts";
import { plain } from "../../state/shared-list.ts";
import type { ReachedLimit } from "../interrupts/limits.ts";
import { limitOf } from "../interrupts/limits.ts";
import type { Program } from "../program/program.ts";
import { changeScope, type SnapshotDraft } from "../snapshot/draft.ts";
import type { Idle } from "../snapshot/parts.ts";
import { must, type NodeRun, type Snapshot } from "../snapshot/snapshot.ts";

/** Notes a commit in its scope, before the token moves on; nothing where no limit asks for it. */
export function noteCommit(
  program: Program,
  draft: SnapshotDraft,
  run: Pick<NodeRun, "node" | "scope">,
): void {
  const idle = idleBehind(program, draft, run);
  if (idle !== undefined) changeScope(draft, run.scope, () => ({ idle }));
}

function idleBehind(
  program: Program,
  { scopes, shown }: Snapshot,
  { node, scope }: Pick<NodeRun, "node" | "scope">,
): Idle | undefined {
  // A node with `every` is there to come round.
  if (!program.countsRepeats || program.nodes[node]?.ir.every !== undefined) return undefined;
  const { idle = NEVER } = must(scopes, scope, "scope");
  return next(idle, { node, shown });
}

/** The limit of repeats that a commit of this node reaches, if it does: then it is none. */
export function repeatsReached(
  program: Program,
  snapshot: Snapshot,
  { node, scope, asks }: Pick<NodeRun, "node" | "scope" | "asks">,
): ReachedLimit | undefined {
  const idle = idleBehind(program, snapshot, { node, scope });
  if (idle === undefined) return undefined;
  const repeats = Math.max(idle.alone, Math.floor(idle.inTurn / 2));
  const own = program.nodes[node]?.ir.limit;
  // Who has said to go on with this commit is asked about later ones, after as many repeats again.
  const { repeats: ofThis = 0 } = asks?.grants ?? {};
  if (
    repeats >= mostOf(own) &&
    !(own?.elseAsk === true && (ofThis > 0 || repeats % mostOf(own) > 0))
  )
    return { name: "repeats", of: "node" };
  const { repeats: granted = 0 } = snapshot.grants;
  const isOver = repeats >= mostOf(program.ir.limit) * (1 + granted);
  return isOver ? { name: "repeats", of: "run" } : undefined;
}

function mostOf(limit: LimitIr | undefined): number {
  return limitOf(limit, "repeats") ?? Number.POSITIVE_INFINITY;
}

const NEVER: Idle = { latest: [], alone: 0, inTurn: 0 };

function next({ latest, alone, inTurn }: Idle, now: Idle["latest"][number]): Idle {
  const [one, two] = latest;
  return {
    latest: one === undefined ? [now] : [now, one],
    alone: isAgain(one, now) ? alone + 1 : 0,
    inTurn: one?.node !== now.node && isAgain(two, now) ? inTurn + 1 : 0,
  };
}

function isAgain(before: Idle["latest"][number] | undefined, now: Idle["latest"][number]): boolean {
  if (before?.node !== now.node) return false;
  return now.shown
    .changedFrom(before.shown)
    .every((field) =>
      isJsonEqual(plain(before.shown.get(field)?.value), plain(now.shown.get(field)?.value)),
    );
}

/** Tells whether a graph or any of its nodes limits repeats. */
export function countsRepeats({ limit, nodes }: Pick<Ir, "limit" | "nodes">): boolean {
  const limits = [limit, ...nodes.map((node) => node.limit)];
  return limits.some((one) => limitOf(one, "repeats") !== undefined);
}
