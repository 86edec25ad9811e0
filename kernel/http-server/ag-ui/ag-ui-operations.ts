/** Offers graphs to front ends that speak AG-UI: a message starts a run, an answer goes on with it, its events are streamed. */
import type { RunAgentInput } from "@ag-ui/core";
import { isRecord, type JsonSchema } from "../../../dsl/index.ts";
import { type DrivenRun, type Graph, RunError } from "../../../runtime/index.ts";
import { inputIn, MessageFault } from "../../a2a-server/message-input.ts";
import { eventsOf } from "../../cli/run/run-facts.ts";
import { answerOfMessage } from "../../read-answer.ts";
import { assertMay } from "../access.ts";
import { HttpFault } from "../http-fault.ts";
import { ANY, ANY_OBJECT, NAME, type Operation, type OperationCall } from "../operation.ts";
import { AgUiEvents, type AgUiNames } from "./ag-ui-events.ts";

/** Graphs are at `/agui/NAME`, a single one also at `/agui`. */
export function agUiOperations(graphs: readonly Graph[]): readonly Operation[] {
  const [only, second] = graphs;
  return [
    ...graphs.map((graph) => agUiOperation(graph, `/agui/${graph.name}`)),
    ...(only === undefined || second !== undefined ? [] : [agUiOperation(only, "/agui")]),
  ];
}

const BODY: JsonSchema = {
  type: "object",
  required: ["threadId", "runId", "messages"],
  additionalProperties: true,
  properties: {
    threadId: NAME,
    runId: NAME,
    messages: { type: "array", items: ANY_OBJECT },
    forwardedProps: ANY,
    resume: {
      type: "array",
      items: {
        type: "object",
        required: ["interruptId", "status"],
        additionalProperties: true,
        properties: {
          interruptId: { type: "string", minLength: 1, maxLength: 1000 },
          status: { type: "string", enum: ["resolved", "cancelled"] },
          payload: ANY,
        },
      },
    },
  },
};

function agUiOperation(graph: Graph, path: string): Operation {
  return {
    id: path === "/agui" ? "runAgUi" : `runAgUi${graph.name}`,
    method: "POST",
    path,
    right: "read",
    summary: `Runs ${graph.name} for a front end that speaks AG-UI: the role \`run\` starts runs, \`answer\` answers their interrupts by \`resume\`.`,
    body: BODY,
    gives: "text/event-stream",
    perform: async (call) => {
      const asked = call.body as unknown as RunAgentInput;
      const { run, skipped } = await opened(graph, asked, call);
      const names: AgUiNames = { threadId: asked.threadId, runId: asked.runId };
      const events = new AgUiEvents(run, names, skipped);
      await call.streams.send(
        {
          ...{ run, outgoing: call.outgoing, endsAtRest: true },
          begin: () => events.begin(),
          show: (event) => events.show(event),
          end: () => events.end(),
        },
        { "cache-control": "no-cache", "x-accel-buffering": "no" },
      );
    },
  };
}

/** The run, and how many of its events the client has had in an earlier one of its runs. */
async function opened(graph: Graph, asked: RunAgentInput, call: OperationCall) {
  const { threadId, runId, resume = [] } = asked;
  assertMay(call.role, resume.length > 0 ? "answer" : "run");
  const key = `agui:${threadId}/${runId}`;
  if (resume.length > 0) return await answered(resume, key, call);
  const run = call.host.start(graph, inputOf(asked, graph), { key, thread: threadId });
  return { run: run as DrivenRun, skipped: 0 };
}

/** A question that this very request has answered already stays so. */
async function answered(
  resume: NonNullable<RunAgentInput["resume"]>,
  by: string,
  call: OperationCall,
) {
  const [first] = resume;
  const id = first?.interruptId.split("/")[0] ?? "";
  const run = call.host.open(id);
  if (run === undefined || resume.some(({ interruptId }) => !interruptId.startsWith(`${id}/`)))
    throw new HttpFault(404, "M5107", "these interrupts are of no run of this server");
  const skipped = eventsOf(run).length;
  const answers = resume.map(({ interruptId, status, payload }) => {
    const question = run.interrupts.find((one) => interruptId === `${id}/${one.id}`);
    if (question === undefined) throw run.notAsked(interruptId.slice(id.length + 1));
    if (status === "cancelled") return [question.id, { kind: "deny" }] as const;
    const given = typeof payload === "string" ? payload : { data: payload };
    return [question.id, answerOfMessage(given, question)] as const;
  });
  await run.answerAll(answers, { by });
  call.host.keep(run);
  return { run, skipped };
}

/** The members of `forwardedProps.input`, or of the state, that are parameters; the last message of the person is the text that is missing. */
function inputOf({ forwardedProps, state, messages }: RunAgentInput, graph: Graph) {
  const given =
    isRecord(forwardedProps) && isRecord(forwardedProps.input) ? forwardedProps.input : undefined;
  const names = new Set(graph.ir.params.map(({ name }) => name));
  const known = Object.entries(isRecord(state) ? state : {}).filter(([name]) => names.has(name));
  const data = given ?? Object.fromEntries(known);
  const last = messages.findLast(({ role }) => role === "user")?.content;
  const isNeeded = given === undefined && typeof last === "string";
  try {
    return inputIn([{ data }, ...(isNeeded ? [{ text: last }] : [])], graph);
  } catch (cause) {
    if (!(cause instanceof MessageFault)) throw cause;
    throw noInput(cause);
  }
}

function noInput(cause: MessageFault): RunError {
  return new RunError("M5001", cause.message, { cause });
}
