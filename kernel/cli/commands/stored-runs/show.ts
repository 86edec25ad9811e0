/** `madrigal show RUN`: shows the state, steps, questions and failure of a stored run. */
import {
  type DrivenRun,
  type RunEvent,
  type RunSummary,
  redaction,
  type Step,
  shortRunId,
  type storedRuns,
  traceQueries,
} from "../../../../runtime/index.ts";
import { textTable } from "../../../display/text-table.ts";
import { EXIT } from "../../../exit-codes.ts";
import type { CliCommand } from "../../command.ts";
import { costText, secondsText, timeText } from "../../numbers.ts";
import { print, printJson } from "../../output.ts";
import { nodeTableText } from "../../run/node-table.ts";
import {
  fieldsText,
  questionsText,
  resumeCommand,
  runFaultText,
  runLine,
} from "../../run/report-run.ts";
import {
  eventfulMs,
  eventsOf,
  faultOf,
  isLost,
  modelSourcesOf,
  outputOf,
} from "../../run/run-facts.ts";
import { noRunJson, runJson } from "../../run/run-json.ts";
import { openRunsToRead } from "../../stored-runs.ts";
import { showImported } from "./imported-run.ts";
import { showSession } from "./shown-session.ts";

export const command: CliCommand = {
  options: { json: "flag", session: "text", out: "text" },
  arguments: ["RUN"],
  async run(call) {
    const session = openRunsToRead();
    const [word = ""] = call.arguments;
    const taken = session.spans.taken(word === "last" ? await session.findRunId(word) : word);
    if (taken !== undefined) {
      await showImported(session, taken, call.flag("json"));
      await session.close();
      return EXIT.done;
    }
    const run = session.open(word);
    const agent = call.text("session");
    if (agent !== undefined) {
      showSession(run, { agent, isJson: call.flag("json"), out: call.text("out") });
      await session.close();
      return EXIT.done;
    }
    const meta = session.store.meta(run.id);
    // Not by SQL: loading DuckDB takes longer than all the rest.
    const nodes = traceQueries.summarizeNodes(meta, session.store.readAfter(run.id, -1));
    const { owner } = session.store.find(run.id);
    const lost = isLost({ status: run.status, owner });
    const events = eventsOf(run);
    // The clock of a run that lost its process still goes.
    const ranMs = lost ? eventfulMs(events) : run.activeMs;
    const branches = session.list().filter(({ forkedFrom }) => forkedFrom?.runId === run.id);
    const shown = { run, meta, nodes, owner, lost, events, ranMs, branches };
    if (call.flag("json")) printJson(shownJson(shown));
    else print(shownText(shown));
    await session.close();
    return EXIT.done;
  },
  failed: noRunJson,
};

interface StoredRunFacts {
  readonly run: DrivenRun;
  readonly meta: storedRuns.RunMeta;
  readonly nodes: readonly traceQueries.NodeSummary[];
  readonly events: readonly RunEvent[];
  /** The living process that drives it. */
  readonly owner: string | undefined;
  readonly lost: boolean;
  readonly ranMs: number;
  /** Runs that left it at one of its steps. */
  readonly branches: readonly RunSummary[];
}

function shownJson({
  run,
  meta,
  nodes,
  events,
  owner,
  lost,
  ranMs,
  branches,
}: StoredRunFacts): Record<string, unknown> {
  return {
    ...runJson(run, meta.ir),
    duration_ms: ranMs,
    owner: owner ?? null,
    lost,
    ...forkJson(meta),
    ...(meta.rerunOf === undefined ? {} : { rerun_of: meta.rerunOf.runId }),
    branches: branches.map((branch) => ({
      run_id: branch.runId,
      ...forkJson(branch),
      status: branch.status,
    })),
    created_at: new Date(meta.createdAt).toISOString(),
    file: meta.file ?? null,
    scope_file: meta.scopeFile ?? null,
    input: redaction.shownValue(inputOf(events), run),
    models: meta.models,
    nodes,
    commits: run.steps.map((step) => ({
      step: step.step,
      node: step.node,
      attempt: step.attempt,
      fields: changedFields(step),
    })),
    failures: failuresOf(events).map(({ node, attempt, failure, at }) => ({
      node,
      attempt,
      at: new Date(at).toISOString(),
      ...redaction.shownValue(failure, run),
    })),
  };
}

function shownText(shown: StoredRunFacts): string {
  const { run, meta, nodes, events, branches } = shown;
  const output = outputOf(run);
  const fault = faultOf(run, meta.ir);
  const failures = failuresOf(events);
  return [
    headText(shown),
    `input: ${JSON.stringify(redaction.shownValue(inputOf(events), run))}`,
    ...(output === undefined ? [] : ["", fieldsText(output)]),
    ...(nodes.length === 0 ? [] : ["", nodeTableText(nodes)]),
    ...(failures.length === 0
      ? []
      : ["", "failed attempts:", failuresText(redaction.shownValue(failures, run))]),
    ...(run.steps.length === 0 ? [] : ["", stepsText(run.steps)]),
    ...(fault === undefined ? [] : ["", runFaultText(fault, run)]),
    ...(branches.length === 0 ? [] : ["", "branches:", ...branches.map(branchText)]),
    ...(canGoOn(shown) && fault === undefined ? ["", nextStepText(run)] : []),
  ].join("\n");
}

function headText({ run, meta, events, owner, lost, ranMs }: StoredRunFacts): string {
  const { usage } = run;
  const sources = modelSourcesOf(events);
  const models = Object.entries(meta.models).map(([alias, id]) => `${alias} = ${id}`);
  return [
    runLine(run.id),
    `graph: ${run.graph}${meta.file === undefined ? "" : ` (${meta.file})`}`,
    ...(meta.forkedFrom === undefined ? [] : [`forked from: ${forkText(meta.forkedFrom)}`]),
    ...(meta.rerunOf === undefined ? [] : [`again from: ${shortRunId(meta.rerunOf.runId)}`]),
    `status: ${run.status}${lost ? " (lost: resume it)" : reasonText(run.reason)}`,
    ...(owner === undefined ? [] : [`driven by: ${owner}`]),
    `started: ${timeText(meta.createdAt)} UTC, ran ${secondsText(ranMs)}`,
    `tokens: ${usage.inputTokens} in, ${usage.outputTokens} out, cost ${costText(usage.costUsd)}`,
    `models: ${models.join(", ") || "none"}`,
    ...(sources.length === 0 ? [] : [`models answered by: ${sources.join(", ")}`]),
  ].join("\n");
}

/** Returns the run and the step that a fork began at, as text. */
export function forkText({ runId, step }: storedRuns.ForkedFrom): string {
  return `${shortRunId(runId)} at step ${step ?? "?"}`;
}

function branchText({ runId, status, forkedFrom }: RunSummary): string {
  return `  ${shortRunId(runId)} from step ${forkedFrom?.step ?? "?"}, ${status}`;
}

/** Returns the run and the step that a fork began at, for `--json`. */
export function forkJson({ forkedFrom }: Pick<RunSummary, "forkedFrom">): Record<string, unknown> {
  if (forkedFrom === undefined) return {};
  return { forked_from: { run_id: forkedFrom.runId, step: forkedFrom.step ?? null } };
}

function reasonText(reason: string | undefined): string {
  return reason === undefined ? "" : ` (${reason})`;
}

function inputOf(events: readonly RunEvent[]): unknown {
  return events.find((event) => event.kind === "run.started")?.input ?? {};
}

type FailedAttempt = RunEvent & { readonly kind: "attempt.finished" };

function failuresOf(events: readonly RunEvent[]): readonly FailedAttempt[] {
  return events
    .filter((event) => event.kind === "attempt.finished")
    .filter(({ failure }) => failure !== undefined);
}

function failuresText(failures: readonly FailedAttempt[]): string {
  return failures
    .map(({ label, attempt, failure, next }) => {
      const then = next === undefined ? "" : ` (then: ${next})`;
      return `  ${label} attempt ${attempt}: ${failure?.code} ${failure?.message}${then}`;
    })
    .join("\n");
}

function stepsText(steps: readonly Step[]): string {
  return textTable(
    [
      { title: "step", cell: ({ step }) => `${step}`, isNumber: true },
      { title: "node", cell: ({ node }) => node },
      { title: "attempt", cell: ({ attempt }) => `${attempt}`, isNumber: true },
      { title: "changed", cell: (step) => changedFields(step).join(", ") || "-" },
    ],
    steps,
  );
}

function changedFields({ patches }: Step): readonly string[] {
  return [...new Set(patches.map(({ path }) => String(path[0])))];
}

function canGoOn({ run, owner }: StoredRunFacts): boolean {
  return run.status !== "succeeded" && owner === undefined;
}

/** Returns the command that continues a run: an answer if it waits for one, since a resume would only ask again. */
function nextStepText(run: DrivenRun): string {
  return run.status === "waiting" ? questionsText(run) : `to go on: ${resumeCommand(run.id)}`;
}
