/** Builds the start of a rerun: the recorded input, its thread's fields then, and its models. */

import type { Ir } from "../../dsl/index.ts";
import { RunError } from "../failure.ts";
import { GraphRun } from "../run/run.ts";
import type { RunParts } from "../run/run-parts.ts";
import { shortRunId } from "../run-names.ts";
import { constant } from "../scheduler/lookup.ts";
import type { Program } from "../scheduler/program/program.ts";
import type { RunMeta } from "../store/run-store.ts";
import { holdsThread } from "../threads/load-lasting-fields.ts";
import { readRecorded } from "./recorded-run.ts";
import type { RecordedRun } from "./recorded-types.ts";
import type { RerunOptions } from "./rerun.ts";

/** The options of a rerun that a new run does not have. */
export interface Again {
  readonly recorded: RecordedRun;
  /** The values that its thread and its user had kept when the recorded run began. */
  readonly kept: Readonly<Record<string, unknown>> | undefined;
  /** It begins with the recorded input. */
  readonly isOfInput?: boolean;
  metaOf(meta: RunMeta): RunMeta;
  readonly parts?: (parts: RunParts) => RunParts;
}

/** Returns the recording of a run. Throws M5460 if it is no run of this graph or has not begun. */
export function recordingIn(run: { readonly id: string }, { name }: Ir): RecordedRun {
  if (!(run instanceof GraphRun)) {
    throw new RunError("M5460", "this is no run that can be run again", {
      hint: "`graph.rerun(run)` takes what `graph.run`, `runs.open` or `runs.last` gives",
    });
  }
  const { id, graph } = run;
  if (graph !== name) {
    throw new RunError(
      "M5460",
      `run \`${shortRunId(id)}\` is one of \`${graph}\`, and not of \`${name}\``,
      {
        hint: "a graph that was given another name has another graph's runs: run it anew",
        runId: id,
      },
    );
  }
  const recorded = readRecorded(run.stored);
  if (recorded.begun !== undefined) return recorded;
  throw new RunError(
    "M5460",
    `run \`${shortRunId(id)}\` has not begun: nothing of it is recorded`,
    {
      runId: id,
    },
  );
}

export function againOf(
  recorded: RecordedRun,
  { anew, external }: Pick<RerunOptions, "anew" | "external">,
  program: Program,
): Again {
  const { meta, begun } = recorded;
  const { runId, threadId, user, seed, config } = meta;
  const of = {
    runId,
    ...(anew === undefined ? {} : { anew }),
    ...(external === "anew" ? { external } : {}),
  };
  return {
    recorded,
    kept: keptNow(begun?.kept, program),
    metaOf: (fresh) => ({
      ...(user === undefined ? {} : { user }),
      ...(seed === undefined ? {} : { seed }),
      ...(config === undefined ? {} : { config }),
      ...fresh,
      // What its thread keeps goes on without it: the thread may have gone on since.
      threadId: holdsThread(program) ? `${threadId}~${fresh.runId.slice(-6)}` : threadId,
      rerunOf: of,
    }),
  };
}

/** Returns the kept values of fields that still exist. */
function keptNow(
  kept: Readonly<Record<string, unknown>> | undefined,
  { fieldNumbers }: Program,
): Again["kept"] {
  if (kept === undefined) return undefined;
  return Object.fromEntries(Object.entries(kept).filter(([name]) => fieldNumbers.has(name)));
}

/** The models that the recorded run was given: what it had as its program declared it, it has as that declares it now. */
export function modelsAgain({ meta, ir }: RecordedRun): Readonly<Record<string, string>> {
  const declared = new Map(
    [ir, ...(ir.graphs ?? [])].flatMap(({ models }) =>
      models.map(({ name, value }) => [name, String(constant(value))] as const),
    ),
  );
  const given = Object.entries(meta.models).filter(([alias, id]) => {
    const name = alias.slice(alias.lastIndexOf(".") + 1);
    return id !== "scripted" && declared.has(name) && declared.get(name) !== id;
  });
  return Object.fromEntries(given);
}
