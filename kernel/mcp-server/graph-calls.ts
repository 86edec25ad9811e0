/** Runs a graph for the call of a tool: tells its progress, asks its questions of the client, ends it with the call. */
import {
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
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

/** The state that travels through the client while it is asked: signed, so that nothing but a question of this server is answered. */
export interface AskedInRun {
  readonly run: string;
  readonly interrupt: string;
}

interface GraphCall {
  readonly input: Record<string, unknown>;
  readonly context: ServerContext;
  readonly capabilities: ClientCapabilities | undefined;
}

/** The key of the one question that a client is asked at once. */
const ASKED = "answer";

/** The runs that calls of tools have started and that wait for their callers. */
export class GraphCalls {
  readonly #states: RequestStateCodec<AskedInRun>;
  readonly #waiting = new Map<string, Run>();
  /** The lines that were told of each run under way. */
  readonly #progress = new Map<string, number>();

  constructor(states: RequestStateCodec<AskedInRun>) {
    this.#states = states;
  }

  /** Starts a run, or goes on with the one whose question the call answers. */
  async call(graph: Graph, call: GraphCall): Promise<CallToolResult | InputRequiredResult> {
    const { input, context } = call;
    const { signal } = context.mcpReq;
    const asked = context.mcpReq.requestState<AskedInRun>();
    const known = asked === undefined ? undefined : this.#waiting.get(asked.run);
    if (asked !== undefined && known === undefined)
      return failed("the run of this question is over, or another call goes on with it");
    let run: Run | undefined = known;
    try {
      run ??= graph.run(input, { breaks: false });
      const { id } = run;
      this.#waiting.delete(id);
      const stop = () => void this.#abort(run);
      signal.addEventListener("abort", stop, { once: true });
      if (signal.aborted) stop();
      const progress = this.#tellProgress(run, graph, context);
      try {
        if (asked !== undefined) await this.#answer(run, asked, context);
        return await this.#resultOf(run, call);
      } finally {
        signal.removeEventListener("abort", stop);
        await progress.stop();
      }
    } catch (thrown) {
      return failed(faultText(thrown), run);
    }
  }

  async #resultOf(run: Run, call: GraphCall): Promise<CallToolResult | InputRequiredResult> {
    await run.output.catch(() => {});
    const [question] = run.interrupts;
    if (question !== undefined && run.status === "waiting")
      return await this.#ask(run, question, call);
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
    { context, capabilities }: GraphCall,
  ): Promise<CallToolResult | InputRequiredResult> {
    const shown = redaction.shownValue(question, run) as Interrupt;
    if (!hasForms(context, capabilities)) return unanswered(run, shown);
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

  /** A form that is declined is a no, one that is cancelled ends the run's call and leaves the question open. */
  async #answer(run: Run, { interrupt: id }: AskedInRun, { mcpReq }: ServerContext): Promise<void> {
    const question = run.interrupts.find((one) => one.id === id);
    const response = inputResponse(mcpReq.inputResponses, ASKED);
    if (question === undefined || response.kind !== "elicit") return;
    const given = response.action === "accept" ? response.content?.answer : undefined;
    if (response.action === "cancel") return;
    const answer: Answer =
      given === undefined
        ? { kind: "deny", reason: "the person declined" }
        : readAnswer(typeof given === "string" ? given : JSON.stringify(given), question);
    await run.answer(id, answer);
  }

  async #abort(run: Run | undefined): Promise<void> {
    await run?.abort("the caller of the tool cancelled it").catch(() => {});
  }

  /** Tells what happens to whoever gave a token for it, behind what was told of the run before. */
  #tellProgress(run: Run, graph: Graph, { mcpReq }: ServerContext): { stop(): Promise<void> } {
    const token = mcpReq._meta?.progressToken;
    if (token === undefined) return { stop: async () => {} };
    const shower = redaction.eventShower(graph.ir);
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

function hasForms({ mcpReq }: ServerContext, known: ClientCapabilities | undefined): boolean {
  const envelope = mcpReq.envelope as Readonly<Record<string, unknown>> | undefined;
  const { elicitation } = (envelope?.[CLIENT_CAPABILITIES_META_KEY] ??
    known ??
    {}) as ClientCapabilities;
  // Without a word about modes, a client takes forms.
  return (
    elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined)
  );
}

function messageFor(question: Interrupt): string {
  const shown = question.shown === undefined ? "" : `\n${JSON.stringify(question.shown, null, 2)}`;
  return `${question.question}${shown}`;
}

const TYPED: readonly unknown[] = ["string", "number", "integer", "boolean"];

/** One field: of the type of the answer where that is a plain one, else a text as `madrigal answer` takes it. */
function formFor(question: Interrupt) {
  const { schema, options } = question;
  const description = `answer: ${answerForms(question)}`;
  const choices = options?.every((one) => typeof one === "string") ? options : undefined;
  const asked =
    choices !== undefined
      ? { type: "string", enum: choices }
      : takesYes(question) || !TYPED.includes(schema?.type)
        ? { type: "string" }
        : { type: schema?.type };
  return {
    type: "object",
    properties: { answer: { ...asked, description } },
    required: ["answer"],
  } as never;
}

function unanswered({ id }: Run, question: Interrupt): CallToolResult {
  const text = [
    `The run ${id} waits for an answer that this client can't give.`,
    `It asks: ${messageFor(question)}`,
    `A person answers it with: madrigal answer ${shortRunId(id)} ${question.id} ANSWER (${answerForms(question)})`,
    `What came of it is then in the resource madrigal://runs/${id}.`,
  ].join("\n");
  return { isError: true, content: [{ type: "text", text }], _meta: { "madrigal/run": id } };
}

function failed(text: string, run?: Run): CallToolResult {
  const where = run === undefined ? {} : { _meta: { "madrigal/run": run.id } };
  return { isError: true, content: [{ type: "text", text }], ...where };
}

function faultText(thrown: unknown): string {
  if (!(thrown instanceof RunError)) return messageOf(thrown);
  const hint = thrown.hint === undefined ? "" : `\nhint: ${thrown.hint}`;
  return `${thrown.code}: ${thrown.message}${hint}`;
}
