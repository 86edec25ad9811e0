/** Opens the recorded run that a rerun is served from, when its first attempt begins. */
import type { RunPlace } from "../run/run-storage.ts";
import type { RunMeta } from "../store/run-store.ts";
import type { ContentScope } from "./content.ts";
import { readRecorded } from "./recorded-run.ts";
import type { RecordedRun } from "./recorded-types.ts";
import { Serving } from "./serving.ts";

export interface Recording {
  readonly recorded: () => RecordedRun | undefined;
  readonly serving: () => Serving | undefined;
}

/** Nothing for runs that are no other one run again, and where that one is gone: then all of it is performed. */
export function recordingOf(
  { runId, rerunOf }: RunMeta,
  of: {
    readonly place: RunPlace;
    readonly around: () => ContentScope;
    /** The recorded run, if it was read already. */
    readonly known: RecordedRun | undefined;
  },
): Recording | undefined {
  if (rerunOf === undefined) return undefined;
  const { place, around, known } = of;
  let found: RecordedRun | undefined | "unread" = known ?? "unread";
  const recorded = () => {
    if (found === "unread") found = recordedIn(place, rerunOf.runId);
    return found;
  };
  const serving = () => {
    const one = recorded();
    const past = place.read(runId)?.records ?? [];
    return one && new Serving({ recorded: one, of: rerunOf, around, past });
  };
  return { recorded, serving };
}

function recordedIn(place: RunPlace, runId: string): RecordedRun | undefined {
  const stored = place.read(runId);
  if (stored === undefined) return undefined;
  return readRecorded({ ...stored, earlier: () => place.earlier(stored.meta) });
}
