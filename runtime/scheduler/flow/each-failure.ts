/**
 * Continues a graph after a failure inside an `each`: drops the item if the `each` can do without it, else takes the
 * `each`'s own arrow for failures, else asks the `each` around it.
 */

import type { FailureEdge, Program } from "../program/program.ts";
import type { Expansion, Scope } from "../snapshot/parts.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";
import { emit, type FlowDraft } from "./flow-draft.ts";
import { depart } from "./move-tokens.ts";

export interface FailedItem {
  /** Where it stood. */
  readonly scope: number;
  /** The `each` that failed as a whole. */
  readonly expansion?: number;
}

/** Does that; says whether there was a way. */
export function skipFailedItem(draft: FlowDraft, failed: FailedItem, edge: FailureEdge): boolean {
  const own = draft.snapshot.expansions.get(failed.expansion ?? -1);
  if (own !== undefined && failEach(draft, own, edge)) return true;
  for (const { item, expansion } of itemsAround(draft.snapshot, failed.scope)) {
    if (isDispensable(draft.program, expansion)) {
      emit(draft, { op: "item-skip", scope: item.id });
      draft.due.push({ expansion: expansion.id });
      return true;
    }
    if (failEach(draft, expansion, edge)) return true;
  }
  return false;
}

/** The items around a scope, the innermost first. */
export function itemsAround(
  { scopes, expansions }: Snapshot,
  scope: number,
): readonly { readonly item: Scope; readonly expansion: Expansion }[] {
  const around: { readonly item: Scope; readonly expansion: Expansion }[] = [];
  for (let at = scopes.get(scope); at !== undefined; at = scopes.get(at.parent)) {
    const expansion = expansions.get(at.expansion);
    if (expansion === undefined) break;
    around.push({ item: at, expansion });
  }
  return around;
}

/** Tells whether an `each` can go on without one of its items: `on error skip`, or a quorum. */
export function isDispensable({ eaches }: Program, { need, each }: Expansion): boolean {
  return need !== undefined || eaches[each]?.ir.onErrorSkip === true;
}

/** Ends a whole `each`, and takes its arrow for that; where none can be taken, nothing has happened. */
export function failEach(draft: FlowDraft, expansion: Expansion, edge: FailureEdge): boolean {
  const { id, each, frame, seq, scope } = expansion;
  const outlet = draft.program.eaches[each]?.failing[edge];
  if (outlet === undefined) return false;
  const before = { ...draft.snapshot };
  const { exhausted } = draft;
  const lengths = LISTS.map((list) => draft[list].length);
  emit(draft, { op: "each-failed", expansion: id });
  if (depart(draft, { frame, seq: seq + 1, scope, outlet })) {
    draft.due.push({ scope });
    return true;
  }
  Object.assign(draft.snapshot, before);
  draft.exhausted = exhausted;
  for (const [index, list] of LISTS.entries()) draft[list].length = lengths[index] ?? 0;
  return false;
}

const LISTS = ["flow", "patches", "writes", "own", "due"] as const;
