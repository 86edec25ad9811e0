/** Operations that act on runs: cancel, resume, answer, steer, fork. */
import type { JsonSchema } from "../../../dsl/index.ts";
import { type Answer, type DrivenRun, type Interrupt, RunError } from "../../../runtime/index.ts";
import { eventsOf } from "../../cli/run/run-facts.ts";
import { runJson } from "../../cli/run/run-json.ts";
import { readAnswer } from "../../read-answer.ts";
import { isAnsweredBy } from "../../shown-question.ts";
import {
  ANY,
  ANY_OBJECT,
  NAME,
  type Operation,
  type OperationCall,
  objectOf,
  runIn,
  TEXT,
} from "../operation.ts";
import { runAfterWait, WAIT } from "./graph-operations.ts";

const kindOf = (
  kind: Answer["kind"],
  more: Readonly<Record<string, JsonSchema>>,
  optional?: string,
) =>
  objectOf({ kind: { const: kind }, ...more, remember: REMEMBER, as: TEXT }, [
    "remember",
    "as",
    ...(optional === undefined ? [] : [optional]),
  ]);

const REMEMBER: JsonSchema = { type: "string", enum: ["call", "run", "thread"] };

const ANSWER: JsonSchema = {
  anyOf: [
    kindOf("value", { value: ANY }),
    kindOf("approve", {}),
    kindOf("deny", { reason: TEXT }, "reason"),
    kindOf("edit", { value: ANY }),
    kindOf("revise", { text: TEXT }),
  ],
};

export const actingOperations: readonly Operation[] = [
  {
    id: "cancelRun",
    method: "POST",
    path: "/runs/{run}/cancel",
    right: "run",
    summary: "Aborts a run; what it did stays.",
    body: objectOf({ reason: TEXT }, ["reason"]),
    gives: ANY_OBJECT,
    perform: async (call) => {
      const run = runIn(call);
      await run.abort(String(call.body.reason ?? "the client cancelled it"));
      return runJson(run, run.ir);
    },
  },
  {
    id: "resumeRun",
    method: "POST",
    path: "/runs/{run}/resume",
    right: "run",
    summary: "Goes on with a run that is paused, has failed or was left by its process.",
    query: { wait: WAIT },
    body: objectOf({}),
    gives: ANY_OBJECT,
    perform: async (call) => {
      const run = runIn(call);
      await run.resume();
      call.host.keep(run);
      return await runAfterWait(run, call);
    },
  },
  {
    id: "answerQuestion",
    method: "POST",
    path: "/runs/{run}/questions/{question}/answer",
    right: "answer",
    summary:
      "Answers a question of a run, once: `text` as a person types it, or `answer`. The same `Idempotency-Key` again is the same answer.",
    query: { wait: WAIT },
    body: { anyOf: [objectOf({ text: TEXT }), objectOf({ answer: ANSWER })] },
    takesKey: true,
    gives: ANY_OBJECT,
    perform: answered,
  },
  {
    id: "answerWithFiles",
    method: "POST",
    path: "/runs/{run}/questions/{question}/files",
    right: "answer",
    summary:
      "Answers a question for files: each `file` of the form is one, with its name; 25 MB together. `as` and `remember` are as in an answer.",
    query: { wait: WAIT },
    body: objectOf({ as: TEXT, remember: REMEMBER }, ["as", "remember"]),
    takesFiles: true,
    takesKey: true,
    gives: ANY_OBJECT,
    perform: answered,
  },
  {
    id: "steerRun",
    method: "POST",
    path: "/runs/{run}/steer",
    right: "run",
    summary:
      "Says something to the agents of a run, or to the node `to`, for their next model call.",
    body: objectOf({ text: TEXT, to: NAME }, ["to"]),
    gives: ANY_OBJECT,
    perform: async (call) => {
      const run = runIn(call);
      const { text, to } = call.body as { readonly text: string; readonly to?: string };
      await run.steer(text, to === undefined ? {} : { to });
      return runJson(run, run.ir);
    },
  },
  {
    id: "forkRun",
    method: "POST",
    path: "/runs/{run}/fork",
    right: "run",
    summary: "Begins another run from a step of this one, with other values of some fields.",
    query: { wait: WAIT },
    body: objectOf(
      { step: { type: "integer", minimum: 0, maximum: 1_000_000_000 }, values: ANY_OBJECT },
      ["values"],
    ),
    gives: ANY_OBJECT,
    perform: async (call) => {
      const { step, values } = call.body as {
        readonly step: number;
        readonly values?: Readonly<Record<string, unknown>>;
      };
      const fork = runIn(call).fork(step, values);
      call.host.keep(fork);
      return Response.json(await runAfterWait(fork, call), {
        status: 201,
        headers: { location: `/runs/${fork.id}` },
      });
    },
  },
];

async function answered(call: OperationCall) {
  const run = runIn(call);
  await answer(run, call);
  call.host.keep(run);
  return await runAfterWait(run, call);
}

/** An answer that comes again by its key is the same one; a second one is M5310. */
async function answer(run: DrivenRun, call: OperationCall): Promise<void> {
  const { params, key } = call;
  const { question: id = "" } = params;
  const by = key === undefined ? undefined : `http:${key}`;
  const isTaken = () => by !== undefined && eventsOf(run).some((event) => isAnsweredBy(event, by));
  if (isTaken()) return;
  const question = run.interrupts.find((one) => one.id === id);
  if (question === undefined) throw run.notAsked(id);
  const given = answerIn(call, question);
  try {
    await run.answer(id, given, by === undefined ? {} : { by });
  } catch (thrown) {
    if (!(thrown instanceof RunError && thrown.code === "M5310" && isTaken())) throw thrown;
  }
}

function answerIn({ body, files }: OperationCall, question: Interrupt): Answer {
  const [only] = files;
  if (only === undefined)
    return (body.answer as Answer | undefined) ?? readAnswer(String(body.text), question);
  // A question for a list takes one file alone, too; several for a question for one file are M5311.
  return { ...body, kind: "value", value: files.length === 1 ? only : files };
}
