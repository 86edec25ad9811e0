/** In what one step of run A is another in run B: what it was given and asked, what was answered, what came of it. */
import { firstDifference, type JsonDifference } from "../../compare/json-difference.ts";
import type { NodeRunFacts, OutlinedCall, WalkEntry } from "../run-outline.ts";

/** The first thing in which two steps of one node differ. */
export interface ContentDifference extends JsonDifference {
  readonly kind:
    | ("given" | "asked" | "model" | "tool" | "function" | "controller")
    | ("person" | "failure" | "steer" | "chosen" | "output" | "state");
  /** The caller that answered differently: a model, a tool, a function. */
  readonly by?: string;
}

export function contentDifference(a: WalkEntry, b: WalkEntry): ContentDifference | undefined {
  if (a.kind === "edit" || b.kind === "edit")
    return of("person", firstDifference(a.values, b.values));
  if (a.did === undefined || b.did === undefined) return undefined;
  const result = resultDifference(a, b);
  return (
    of("given", firstDifference(a.did.args, b.did.args)) ??
    callsDifference(a.did, b.did, result !== undefined) ??
    of("person", firstDifference(a.did.answers, b.did.answers)) ??
    of("failure", firstDifference(failuresOf(a.did), failuresOf(b.did))) ??
    result
  );
}

function resultDifference(a: WalkEntry, b: WalkEntry): ContentDifference | undefined {
  return (
    of("output", firstDifference(a.commit?.output, b.commit?.output)) ??
    of("state", firstDifference(a.patches, b.patches))
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

function isChance({ effect }: OutlinedCall): boolean {
  return effect === "clock" || effect === "random";
}

function callDifference(
  a: OutlinedCall | undefined,
  b: OutlinedCall | undefined,
): ContentDifference | undefined {
  if (a === undefined || b === undefined) {
    return of("asked", firstDifference(a && calledText(a), b && calledText(b)));
  }
  const by = a.name;
  const kind = kindOf(a);
  return (
    of("chosen", firstDifference(a.name, b.name)) ??
    of("steer", firstDifference(saidBefore(a), saidBefore(b))) ??
    of("asked", firstDifference(a.request, b.request)) ??
    of(kind, firstDifference(a.value ?? a.failure, b.value ?? b.failure), by)
  );
}

function kindOf({ effect }: OutlinedCall) {
  switch (effect) {
    case "clock":
    case "random":
      return "function";
    case "server":
    case "skills":
    case "memory":
      return "tool";
    default:
      return effect;
  }
}

function calledText({ effect, name }: OutlinedCall): string {
  return `${effect} ${name}`;
}

function saidBefore({ steers = [] }: OutlinedCall): readonly unknown[] {
  return steers.map(({ payload }) => payload);
}

function failuresOf({ failures }: NodeRunFacts): readonly string[] {
  return failures.map(({ failure }) => `${failure.code} ${failure.message}`);
}

function of(
  kind: ContentDifference["kind"],
  found: JsonDifference | undefined,
  by?: string,
): ContentDifference | undefined {
  if (found === undefined) return undefined;
  return { kind, ...found, ...(by === undefined ? {} : { by }) };
}
