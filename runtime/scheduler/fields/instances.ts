/**
 * State of an agent's own: one value an instance, and an instance is a node in one scope, the run itself or an item. It
 * outlasts the node's runs, retries and loops there; no other node sees it.
 */
import { IntMap } from "../../state/int-map.ts";
import { keyText, type OrderKey } from "../../state/order-key.ts";
import type { Patch } from "../../state/patch.ts";
import { plain } from "../../state/shared-list.ts";
import { type ShownValue, show } from "../../state/shown.ts";
import type { Program, ProgramField } from "../program/program.ts";
import type { SnapshotDraft } from "../snapshot/draft.ts";
import type { FrameWrite } from "../snapshot/parts.ts";
import { must, ROOT, type Snapshot } from "../snapshot/snapshot.ts";
import { withResults } from "./called-reducer.ts";
import { viewOf } from "./frame-view.ts";

/** The lasting name of an instance: its node's, and for items the item's place in the order of the graph. */
export function agentId(snapshot: Snapshot, node: string, scope: number): string {
  return idAt(node, must(snapshot.scopes, scope, "scope").path);
}

function idAt(node: string, path: OrderKey): string {
  return path.length === 0 ? node : `${node}@${keyText(path)}`;
}

/** The scope of an instance that has written something of its own, or that runs; its number is of no use to anybody else. */
export function scopeOfAgent(
  { instances, scopes }: Snapshot,
  { id, node }: { readonly id: string; readonly node: string },
): number | undefined {
  const all = [...instances.entries(), ...scopes.entries()];
  return all.find(([, { path }]) => idAt(node, path) === id)?.[0];
}

/** Returns the value of an instance's own field; its default before the first write. */
export function ownValue(snapshot: Snapshot, scope: number, field: number): unknown {
  const shown = snapshot.instances.get(scope)?.fields.get(field);
  return shown === undefined ? viewOf(snapshot, ROOT, field) : plain(shown.value);
}

/** All that the instance of a node in a scope has of its own, by field. */
export function ownState(
  program: Program,
  snapshot: Snapshot,
  at: { readonly node: string; readonly scope: number },
): Record<string, unknown> {
  const own = program.fields.filter(({ ir }) => ir.scope === "agent" && ir.owner === at.node);
  return Object.fromEntries(
    own.map(({ ir, index }) => [ir.name, ownValue(snapshot, at.scope, index)]),
  );
}

/** Lets an instance write; the patches are those of its own fields. */
export function writeOwn(
  program: Program,
  draft: SnapshotDraft,
  { index, ir, reducer }: ProgramField,
  write: FrameWrite,
): readonly Patch[] {
  const { scope = ROOT } = write;
  const own = draft.instances.get(scope) ?? {
    path: must(draft.scopes, scope, "scope").path,
    fields: IntMap.empty<ShownValue>(),
  };
  const before = own.fields.get(index) ?? initial(draft, index);
  const change = show(ir.name, before, withResults(reducer, program.functions), write);
  draft.instances = draft.instances.set(scope, {
    ...own,
    fields: own.fields.set(index, change.shown),
  });
  return change.patches;
}

function initial(snapshot: Snapshot, field: number): ShownValue | undefined {
  const value = viewOf(snapshot, ROOT, field);
  return value === undefined ? undefined : { value };
}
