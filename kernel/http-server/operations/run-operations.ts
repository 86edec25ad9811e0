/** Operations that look at runs: lists, one run, its steps, its events, its artifacts, its drawing. */
import type { Ir } from "../../../dsl/index.ts";
import { type DrivenRun, RunError, redaction } from "../../../runtime/index.ts";
import { summaryJson } from "../../cli/run/summary-json.ts";
import { runBundle } from "../../display/run/run-bundle.ts";
import { calledIrOf } from "../../display/values/plans-of-run.ts";
import { RUN_STATUSES } from "../../run-statuses.ts";
import { HttpFault } from "../http-fault.ts";
import {
  ANY_OBJECT,
  LIST,
  NAME,
  type Operation,
  type OperationCall,
  objectOf,
  runIn,
} from "../operation.ts";
import { eventTexts } from "../stream-events.ts";
import { runAfterWait, WAIT } from "./graph-operations.ts";

const LISTED = 50;
const LISTED_MAX = 200;

export const runOperations: readonly Operation[] = [
  {
    id: "listRuns",
    method: "GET",
    path: "/runs",
    right: "read",
    summary:
      "Runs of the graphs of this server, newest first; `next` is the `after` of the next page.",
    query: {
      graph: NAME,
      status: { type: "string", enum: RUN_STATUSES },
      thread: NAME,
      limit: { type: "integer", minimum: 1, maximum: LISTED_MAX },
      after: NAME,
    },
    gives: objectOf({ runs: LIST, next: { type: ["string", "null"] } }),
    perform: ({ host, query }) => {
      const { limit = LISTED, ...filter } = query as Parameters<typeof host.list>[0];
      const found = host.list({ ...filter, limit: limit + 1 });
      const runs = found.slice(0, limit);
      return {
        runs: runs.map(summaryJson),
        next: found.length > limit ? (runs.at(-1)?.runId ?? null) : null,
      };
    },
  },
  {
    id: "getRun",
    method: "GET",
    path: "/runs/{run}",
    right: "read",
    summary: "A run: how it stands, its questions, its output, its error.",
    query: { wait: WAIT },
    gives: ANY_OBJECT,
    perform: (call) => runAfterWait(runIn(call), call),
  },
  {
    id: "deleteRun",
    method: "DELETE",
    path: "/runs/{run}",
    right: "delete",
    summary: "Takes a run away, its log with it; not one that is under way.",
    gives: objectOf({ deleted: { type: "string" } }),
    perform: (call) => ({ deleted: call.session.stored.delete(runIn(call).id) }),
  },
  {
    id: "listSteps",
    method: "GET",
    path: "/runs/{run}/steps",
    right: "read",
    summary: "The steps of a run, in their order, each with the output of its node.",
    gives: objectOf({ steps: LIST }),
    perform: (call) => {
      const run = runIn(call);
      const steps = run.steps.map(({ step, node, attempt, output }) => ({
        ...{ step, node, attempt },
        output: output ?? null,
      }));
      return { steps: redaction.shownValue(steps, run) };
    },
  },
  {
    id: "getState",
    method: "GET",
    path: "/runs/{run}/steps/{step}",
    right: "read",
    summary: "The state of a run behind a step, from 1.",
    gives: objectOf({ step: { type: "integer" }, state: ANY_OBJECT }),
    perform: (call) => {
      const run = runIn(call);
      const step = stepIn(call.params);
      return { step, state: redaction.shownValue(stateAt(run, step), run) };
    },
  },
  {
    id: "followRun",
    method: "GET",
    path: "/runs/{run}/events",
    right: "read",
    summary:
      "The events of a run from its first, or behind `Last-Event-ID`, as server-sent events. `end` is the last one of a run that is over.",
    gives: "text/event-stream",
    perform: async (call) => {
      const run = runIn(call);
      const after = call.request.headers.get("last-event-id") ?? undefined;
      const show = eventTexts(run, after);
      const end = () => [`event: end\ndata: ${JSON.stringify({ status: run.status })}\n\n`];
      await call.streams.send({ run, outgoing: call.outgoing, show, end }, STREAM_HEADERS);
    },
  },
  {
    id: "getProgram",
    method: "GET",
    path: "/runs/{run}/program",
    right: "read",
    summary:
      "The compiled graph of a run, for clients that draw it; with `in` that of a graph that it called, by the labels that lead there: `team#1/go#1`.",
    query: { in: NAME },
    gives: ANY_OBJECT,
    perform: (call) => ({ program: programIn(call) }),
  },
  {
    id: "drawRun",
    method: "GET",
    path: "/runs/{run}/drawing",
    right: "read",
    summary: "The drawing of a run as it stands; with another `at` a page asks for it anew.",
    query: { at: NAME },
    gives: "image/svg+xml",
    perform: async (call) => {
      const { data } = await runBundle(runIn(call));
      const svg = data["image/svg+xml"];
      if (typeof svg !== "string") throw new HttpFault(404, "M7783", "this graph can't be drawn");
      return new Response(svg, { headers: { "content-type": "image/svg+xml" } });
    },
  },
  {
    id: "listArtifacts",
    method: "GET",
    path: "/runs/{run}/artifacts",
    right: "read",
    summary: "The artifacts that the nodes of a run have made.",
    gives: objectOf({ artifacts: LIST }),
    perform: (call) => {
      const run = runIn(call);
      return { artifacts: redaction.shownValue(run.artifacts, run) };
    },
  },
  {
    id: "getArtifact",
    method: "GET",
    path: "/runs/{run}/artifacts/{artifact}",
    right: "read",
    summary: "The bytes of an artifact, always as a file to keep.",
    gives: "application/octet-stream",
    perform: (call) => artifactResponse(runIn(call), call),
  },
];

const STREAM_HEADERS = { "cache-control": "no-cache", "x-accel-buffering": "no" };

/** Never shown by a browser: an artifact is whatever a model has written. */
function artifactResponse(run: DrivenRun, { params }: OperationCall): Response {
  const { artifact: id = "" } = params;
  const bytes = run.artifact(id);
  const found = run.artifacts.find((one) => one.id === id);
  const isText = /^text\/|json$|xml$/.test(found?.mime ?? "");
  const shown = isText
    ? redaction.shownValue(Buffer.from(bytes).toString("utf8"), run)
    : Buffer.from(bytes);
  return new Response(shown, {
    headers: {
      "content-type": "application/octet-stream",
      "content-disposition": `attachment; filename*=UTF-8''${encodeURIComponent(found?.name ?? id)}`,
    },
  });
}

/** The graph of the run, or of a call in it, whose texts may hold what is private. Throws 404. */
function programIn(call: OperationCall): Ir {
  const run = runIn(call);
  const { in: calls } = call.query;
  if (calls === undefined) return run.ir;
  const ir = calledIrOf(run)(String(calls).split("/"));
  if (ir === undefined) throw new HttpFault(404, "M7783", `the run has called no \`${calls}\``);
  return { ...ir, nodes: redaction.shownValue(ir.nodes, run) };
}

/** The number of a step in a path. Throws 400. */
function stepIn({ step = "" }: OperationCall["params"]): number {
  if (/^\d{1,9}$/.test(step)) return Number(step);
  throw new HttpFault(400, "M7782", `\`${step.slice(0, 40)}\` is no number of a step`);
}

function stateAt(run: DrivenRun, step: number): unknown {
  const found = run.steps[step - 1];
  if (found !== undefined) return found.state;
  throw noStep(run, step);
}

function noStep(run: DrivenRun, step: number): RunError {
  const { length } = run.steps;
  return new RunError("M5107", `the run has no step ${step}`, {
    hint: `it has ${length === 0 ? "none yet" : `the steps 1 to ${length}`}`,
    runId: run.id,
  });
}
