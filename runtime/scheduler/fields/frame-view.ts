/** Reads the state as one line of nodes sees it. */
import { plain } from "../../state/shared-list.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";

/** Returns a field as a frame sees it: its own line back to the root, forks as they were. */
export function viewOf(snapshot: Snapshot, frame: number, field: number): unknown {
  return plain(keptView(snapshot, frame, field));
}

/** The same as it is kept, for reducers: a list that is appended to is a `SharedList`. */
export function keptView(snapshot: Snapshot, frame: number, field: number): unknown {
  for (let at = snapshot.frames.get(frame); at !== undefined; at = snapshot.frames.get(at.parent)) {
    const value = at.view.get(field);
    if (value !== undefined) return value;
  }
  return undefined;
}
