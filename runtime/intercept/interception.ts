/** Keeps in the log what an interceptor changed or forbade, and applies it alike when it is made and when it is served. */
import { isJsonEqual } from "../state/json.ts";

/** One decision of one interceptor: exactly one of `value` and `reason`. */
export interface Interception {
  /** The interceptor's name. */
  readonly by: string;
  readonly when: "before" | "after";
  /** The changes, by the name of the member. */
  readonly value?: Readonly<Record<string, Replacement>>;
  /** The reason of a veto. */
  readonly reason?: string;
}

/** A value and what stands in its place; with `at`, a part of a list from that index on. */
export interface Replacement {
  readonly at?: number;
  readonly before?: unknown;
  readonly after: unknown;
}

export type CallMembers = Readonly<Record<string, unknown>>;

/** Compares what was with what is to be; nothing where they are equal. Both are JSON. */
export function replacementsOf(seen: CallMembers, change: CallMembers): Interception["value"] {
  const found = Object.entries(change).flatMap(([member, after]) => {
    const before = seen[member];
    if (isJsonEqual(before ?? null, after ?? null)) return [];
    return [[member, replacement(before, after)] as const];
  });
  return found.length === 0 ? undefined : Object.fromEntries(found);
}

function replacement(before: unknown, after: unknown): Replacement {
  if (!Array.isArray(before) || !Array.isArray(after)) {
    return before === undefined ? { after } : { before, after };
  }
  const shorter = Math.min(before.length, after.length);
  let [at, behind] = [0, 0];
  while (at < shorter && isJsonEqual(before[at], after[at])) at += 1;
  const isSameBehind = () => isJsonEqual(before.at(-1 - behind), after.at(-1 - behind));
  while (behind < shorter - at && isSameBehind()) behind += 1;
  return {
    at,
    before: before.slice(at, before.length - behind),
    after: after.slice(at, after.length - behind),
  };
}

/** Returns the members that interceptions have changed, as they are behind the last of them. */
export function changedBy(seen: CallMembers, made: readonly Interception[]): CallMembers {
  let changed: Record<string, unknown> = {};
  for (const { value = {} } of made) {
    for (const [member, one] of Object.entries(value)) {
      changed = { ...changed, [member]: replaced(changed[member] ?? seen[member], one) };
    }
  }
  return changed;
}

function replaced(value: unknown, { at, before, after }: Replacement): unknown {
  if (at === undefined || !Array.isArray(value)) return after;
  const count = Array.isArray(before) ? before.length : 0;
  return [...value.slice(0, at), ...(after as readonly unknown[]), ...value.slice(at + count)];
}

/** Returns the members that interceptions have changed, as they were before the first of them. */
export function unchangedBy(now: CallMembers, made: readonly Interception[]): CallMembers {
  const inverse = ({ at, before, after }: Replacement): Replacement =>
    at === undefined ? { before: after, after: before } : { at, before: after, after: before };
  return changedBy(
    now,
    made.toReversed().map(({ value = {}, ...one }) => ({
      ...one,
      value: Object.fromEntries(
        Object.entries(value).map(([member, change]) => [member, inverse(change)]),
      ),
    })),
  );
}
