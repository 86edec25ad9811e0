/** What lies inside a snapshot, as data that can be compared: its maps and lists keep theirs to themselves. */
import { foldIn } from "../../runtime/scheduler/fold.ts";
import type { Program } from "../../runtime/scheduler/program/program.ts";
import { type Snapshot, stepAt, Trail } from "../../runtime/scheduler/snapshot/snapshot.ts";
import { IntMap, SharedList } from "../../runtime/state/persistent.ts";

/** A copy that shares nothing with the snapshot; without its trail. */
export function plainSnapshot(snapshot: Snapshot): unknown {
  return plainPart({ ...snapshot, trail: undefined });
}

/** The same of each step that it can be rewound to. */
export function plainTrail(program: Program, snapshot: Snapshot): readonly unknown[] {
  return Array.from({ length: snapshot.steps + 1 }, (_, step) => {
    const at = stepAt(snapshot, step, foldIn(program));
    return at && plainSnapshot(at);
  });
}

function plainPart(part: unknown): unknown {
  if (typeof part !== "object" || part === null || part instanceof Trail) return part;
  if (part instanceof IntMap) return plainPart(part.entries());
  if (part instanceof SharedList) return [...part].map(plainPart);
  if (part instanceof Set) return plainPart([...part]);
  if (Array.isArray(part)) return part.map(plainPart);
  if ("nodeNumbers" in part) return "a program";
  return Object.fromEntries(
    Object.entries(part).flatMap(([key, value]) =>
      value === undefined ? [] : [[key, plainPart(value)]],
    ),
  );
}
