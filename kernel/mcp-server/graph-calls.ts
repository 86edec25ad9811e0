/** Runs a graph for the call of a tool: tells its progress, asks its questions of the client, ends it with the call. */
import {
  type CallToolResult,
  type ClientCapabilities,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  type RequestStateCodec,
  type ServerContext,
} from "@modelcontextprotocol/server";
import {
  type Answer,
  type Graph,
  type Interrupt,
  messageOf,
  type Run,
  RunError,
  redaction,
  shortRunId,
} from "../../runtime/index.ts";
import { progressLine } from "../cli/run/progress.ts";
import { outputOf } from "../cli/run/run-facts.ts";
import { plain } from "../paint.ts";
import { answerForms, readAnswer, takesYes } from "../read-answer.ts";
import { messageFor, shownQuestion } from "../shown-question.ts";
import { hasForms } from "./client-forms.ts";
import { failed } from "./failed-call.ts";

/** The state that travels through the client while it is asked: signed, so that nothing but a question of this server is answered. */
export interface AskedInRun {
  readonly run: string;
  readonly interrupt: string;
}

interface CallAround {
  readonly context: ServerContext;
  readonly capabilities: ClientCapabilities | undefined;
}

interface GraphCall extends CallAround {
  readonly input: Record<string, unknown>;
}

/** The input of the tool by which a client without forms answers. */
export interface AnswerInput {
  readonly run: string;
  readonly question: string;
  readonly answer: string;
}

interface AnswerCall extends CallAround {
  readonly input: AnswerInput;
  /** The run with that id. Throws where there is none of the offered graphs. */
  readonly open: (id: string) => Run;
}

/** The key of the one question that a client is asked at once. */
const ASKED = "answer";

/** The runs that calls of tools have started and that wait for their callers. */
export class GraphCalls {
  readonly #states: RequestStateCodec<AskedInRun>;
  readonly #waiting = new Map<string, Run>();
  /** The lines that were told of each run under way. */
  readonly #progress = new Map<string, number>();

  /** The name of the tool by which clients without forms answer, where it is offered. */
  readonly #answerTool: string | undefined;

  constructor(states: RequestStateCodec<AskedInRun>, answerTool?: string) {
    this.#states = states;
    this.#answerTool = answerTool;
  }

  /** Starts a run, or goes on with the one whose question the call answers. */
  async call(graph: Graph, call: GraphCall): Promise<CallToolResult | InputRequiredResult> {
    const { input, context } = call;
    const asked = context.mcpReq.requestState<AskedInRun>();
    const known = asked === undefined ? undefined : this.#waiting.get(asked.run);
    if (asked !== undefined && known === undefined)
      return failed("the run of this question is over, or another call goes on with it");
    return await this.#follow(
      call,
      () => known ?? graph.run(input, { breaks: false }),
      async (run) => asked !== undefined && !(await this.#answer(run, asked, context)),
    );
  }

  /** Answers a question for a client without forms, and goes on with its run. */
  async answer({
    input,
    open,
    ...around
  }: AnswerCall): Promise<CallToolResult | InputRequiredResult> {
    return await this.#follow(
      around,
      () => open(input.run),
      async (run) => {
        const question = run.interrupts.find(({ id }) => id === input.question);
        if (question === undefined) throw new Error(noQuestion(run, input.question));
        await run.answer(question.id, readAnswer(input.answer, question));
        return false;
      },
    );
  }

  /**
   * Returns what a run came to, or its next question; a call that is cancelled ends the run. `begin` returns true where the
   * person left the question open: a client that is asked again would leave it open again.
   */
  async #follow(
    call: CallAround,
    open: () => Run,
    begin: (run: Run) => Promise<boolean>,
  ): Promise<CallToolResult | InputRequiredResult> {
    const { signal } = call.context.mcpReq;
    let run: Run | undefined;
    try {
      run = open();
      this.#waiting.delete(run.id);
      const stop = () => void this.#abort(run);
      signal.addEventListener("abort", stop, { once: true });
      if (signal.aborted) stop();
      const progress = this.#tellProgress(run, call.context);
      try {
        const isLeftOpen = await begin(run);
        return await this.#resultOf(run, call, isLeftOpen);
      } finally {
        signal.removeEventListener("abort", stop);
        await progress.stop();
      }
    } catch (thrown) {
      return failed(faultText(thrown), run);
    }
  }

  async #resultOf(
    run: Run,
    call: CallAround,
    isLeftOpen: boolean,
  ): Promise<CallToolResult | InputRequiredResult> {
    await run.output.catch(() => {});
    const [question] = run.interrupts;
    if (question !== undefined && run.status === "waiting")
      return isLeftOpen
        ? unanswered(run, shownQuestion(question, run), this.#answerTool)
        : await this.#ask(run, question, call);
    if (run.status !== "succeeded") return failed(faultText(await run.output.catch(same)), run);
    const output = outputOf(run) ?? {};
    return {
      content: [{ type: "text", text: JSON.stringify(output) }],
      structuredContent: output as Record<string, unknown>,
      _meta: { "madrigal/run": run.id },
    };
  }

  /** Asks the client; one that can't be asked is told how the run is answered. */
  async #ask(
    run: Run,
    question: Interrupt,
    { context, capabilities }: CallAround,
  ): Promise<CallToolResult | InputRequiredResult> {
    const shown = shownQuestion(question, run);
    if (!hasForms(context, capabilities)) return unanswered(run, shown, this.#answerTool);
    this.#waiting.set(run.id, run);
    const asked = { run: run.id, interrupt: question.id };
    return inputRequired({
      requestState: await this.#states.mint(asked, context),
      inputRequests: {
        [ASKED]: inputRequired.elicit({
          message: messageFor(shown),
          requestedSchema: formFor(shown),
        }),
      },
    });
  }

  /** Returns false where the form was cancelled, which leaves the question open; one that is declined is a no. */
  async #answer(
    run: Run,
    { interrupt: id }: AskedInRun,
    { mcpReq }: ServerContext,
  ): Promise<boolean> {
    const question = run.interrupts.find((one) => one.id === id);
    const response = inputResponse(mcpReq.inputResponses, ASKED);
    if (question === undefined || response.kind !== "elicit") return true;
    const given = response.action === "accept" ? response.content?.answer : undefined;
    // Who declines for one of several persons does not say for whom.
    const isLeft = given === undefined && question.among !== undefined;
    if (response.action === "cancel" || isLeft) return false;
    const answer: Answer =
      given === undefined
        ? { kind: "deny", reason: "the person declined" }
        : readAnswer(typeof given === "string" ? given : JSON.stringify(given), question);
    await run.answer(id, answer);
    return true;
  }

  async #abort(run: Run | undefined): Promise<void> {
    await run?.abort("the caller of the tool cancelled it").catch(() => {});
  }

  /** Tells what happens to whoever gave a token for it, behind what was told of the run before. */
  #tellProgress(run: Run, { mcpReq }: ServerContext): { stop(): Promise<void> } {
    const token = mcpReq._meta?.progressToken;
    if (token === undefined) return { stop: async () => {} };
    const shower = redaction.eventShower(run.ir);
    const events = run.stream("events")[Symbol.asyncIterator]();
    const before = this.#progress.get(run.id) ?? 0;
    const tell = async () => {
      for (let progress = 0; ; ) {
        const { value: event, done } = await events.next();
        if (done === true) return;
        shower.learn(event);
        const message = progressLine(shower.show(event), plain);
        if (message === undefined) continue;
        progress += 1;
        if (progress <= before) continue;
        this.#progress.set(run.id, progress);
        const params = { progressToken: token, progress, message };
        await mcpReq.notify({ method: "notifications/progress", params });
      }
    };
    const telling = tell().catch(() => {});
    return {
      stop: async () => {
        await events.return?.();
        await telling;
        if (!this.#waiting.has(run.id)) this.#progress.delete(run.id);
      },
    };
  }
}

const same = (thrown: unknown) => thrown;

const TYPED: readonly unknown[] = ["string", "number", "integer", "boolean"];

/** One field: of the type of the answer where that is a plain one, else a text as `madrigal answer` takes it. */
function formFor(question: Interrupt) {
  const { schema, options } = question;
  const description = `answer: ${answerForms(question)}`;
  const choices = options?.every((one) => typeof one === "string") ? options : undefined;
  const asked =
    choices !== undefined
      ? { type: "string", enum: choices }
      : takesYes(question) || question.among !== undefined || !TYPED.includes(schema?.type)
        ? { type: "string" }
        : { type: schema?.type };
  return {
    type: "object",
    properties: { answer: { ...asked, description } },
    required: ["answer"],
  } as never;
}

function unanswered({ id }: Run, question: Interrupt, tool: string | undefined): CallToolResult {
  const forms = answerForms(question);
  const text = [
    tool === undefined
      ? `The run ${id} waits for an answer that this client can't give.`
      : `The run ${id} waits for an answer.`,
    `It asks: ${messageFor(question)}`,
    ...(tool === undefined
      ? []
      : [
          `Ask the person whom you work for, and call the tool \`${tool}\` with the answer: run ${JSON.stringify(id)}, question ${JSON.stringify(question.id)} (${forms}).`,
        ]),
    `A person answers it with: madrigal answer ${shortRunId(id)} ${question.id} ANSWER (${forms})`,
    `What came of it is then in the resource madrigal://runs/${id}.`,
  ].join("\n");
  return { isError: true, content: [{ type: "text", text }], _meta: { "madrigal/run": id } };
}

function faultText(thrown: unknown): string {
  if (!(thrown instanceof RunError)) return messageOf(thrown);
  const hint = thrown.hint === undefined ? "" : `\nhint: ${thrown.hint}`;
  return `${thrown.code}: ${thrown.message}${hint}`;
}

function noQuestion(run: Run, id: string): string {
  const open = run.interrupts.map((one) => one.id);
  const named = open.length === 0 ? "it asks nothing now" : `it asks ${open.join(", ")}`;
  return `the run ${run.id} does not ask \`${id}\`: ${named}`;
}
