/** In what one step of run A is another in run B: what it was given and asked, what was answered, what came of it. */
import { type Difference, difference } from "../../replay/difference.ts";
import type { CallFacts, NodeRunFacts, WalkEntry } from "../walk.ts";

/** The first thing in which two steps of one node differ. */
export interface ContentDifference extends Difference {
  readonly kind:
    | ("given" | "asked" | "model" | "tool" | "function" | "controller")
    | ("person" | "failure" | "steer" | "chosen" | "output" | "state");
  /** Who answered otherwise: a model, a tool, a function. */
  readonly by?: string;
}

export function contentDifference(a: WalkEntry, b: WalkEntry): ContentDifference | undefined {
  if (a.kind === "edit" || b.kind === "edit") return of("person", difference(a.values, b.values));
  if (a.did === undefined || b.did === undefined) return undefined;
  const result = resultDifference(a, b);
  return (
    of("given", difference(a.did.args, b.did.args)) ??
    callsDifference(a.did, b.did, result !== undefined) ??
    of("person", difference(a.did.answers, b.did.answers)) ??
    of("failure", difference(failuresOf(a.did), failuresOf(b.did))) ??
    result
  );
}

function resultDifference(a: WalkEntry, b: WalkEntry): ContentDifference | undefined {
  return (
    of("output", difference(a.commit?.output, b.commit?.output)) ??
    of("state", difference(a.patches, b.patches))
  );
}

/** Clocks and chance are always others: they count where something came of that. */
function callsDifference(
  a: NodeRunFacts,
  b: NodeRunFacts,
  withChance: boolean,
): ContentDifference | undefined {
  const [left, right] = [a, b].map(({ calls }) =>
    withChance ? calls : calls.filter((call) => !isChance(call)),
  );
  for (let index = 0; index < Math.max(left?.length ?? 0, right?.length ?? 0); index += 1) {
    const found = callDifference(left?.[index], right?.[index]);
    if (found !== undefined) return found;
  }
  return undefined;
}

function isChance({ effect }: CallFacts): boolean {
  return effect === "clock" || effect === "random";
}

function callDifference(
  a: CallFacts | undefined,
  b: CallFacts | undefined,
): ContentDifference | undefined {
  if (a === undefined || b === undefined) {
    return of("asked", difference(a && calledText(a), b && calledText(b)));
  }
  const by = a.name;
  const { effect } = a;
  const kind = effect === "clock" || effect === "random" ? "function" : effect;
  return (
    of("chosen", difference(a.name, b.name)) ??
    of("steer", difference(saidBefore(a), saidBefore(b))) ??
    of("asked", difference(a.request, b.request)) ??
    of(kind, difference(a.value ?? a.failure, b.value ?? b.failure), by)
  );
}

function calledText({ effect, name }: CallFacts): string {
  return `${effect} ${name}`;
}

function saidBefore({ steers = [] }: CallFacts): readonly unknown[] {
  return steers.map(({ payload }) => payload);
}

function failuresOf({ failures }: NodeRunFacts): readonly string[] {
  return failures.map(({ failure }) => `${failure.code} ${failure.message}`);
}

function of(
  kind: ContentDifference["kind"],
  found: Difference | undefined,
  by?: string,
): ContentDifference | undefined {
  if (found === undefined) return undefined;
  return { kind, ...found, ...(by === undefined ? {} : { by }) };
}
