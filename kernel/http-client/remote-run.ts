/** A run of a server, much as a run of this process: its output, its events, its steps, its questions. */
import type { Code } from "../../dsl/index.ts";
import {
  type Answer,
  type Artifact,
  followedEvents,
  type Interrupt,
  isGivenFile,
  type Run,
  RunError,
  type RunEvent,
  type RunStatus,
} from "../../runtime/index.ts";
import type { Bundle } from "../cell-output.ts";
import { isRecord } from "../is-record.ts";
import type { ServerLink } from "./server-link.ts";

/** A step as the server tells it. */
export interface RemoteStep {
  readonly step: number;
  readonly node: string;
  readonly attempt: number;
  readonly output: unknown;
}

export interface RemoteAnswerOptions {
  /** The same key again is the same answer; made anew unless said. */
  readonly key?: string;
}

/** The time for which one request waits for a run to come to rest, in seconds. */
const WAIT = 30;

/** A run as the server last told it. */
export type RemoteDocument = Readonly<Record<string, unknown>>;

export class RemoteRun<O = Record<string, unknown>> implements AsyncIterable<RemoteStep> {
  readonly id: string;
  readonly thread: string;
  readonly graph: string;
  readonly #link: ServerLink;
  #document: RemoteDocument;
  #output: Promise<O> | undefined;

  constructor(link: ServerLink, document: RemoteDocument) {
    this.#link = link;
    this.#document = document;
    this.id = String(document.run_id);
    this.thread = String(document.thread_id);
    this.graph = String(document.graph);
  }

  /** As the server last told it; `refresh` asks again. */
  get status(): RunStatus {
    return this.#document.status as RunStatus;
  }

  get reason(): string | undefined {
    const { reason } = this.#document;
    return typeof reason === "string" ? reason : undefined;
  }

  /** The state, without what is private. */
  get state(): Readonly<Record<string, unknown>> {
    return isRecord(this.#document.state) ? this.#document.state : {};
  }

  /** The questions that wait for an answer. */
  get interrupts(): readonly Interrupt[] {
    return (this.#document.interrupts ?? []) as readonly Interrupt[];
  }

  /** All that the server last told, as `madrigal show --json`. */
  get document(): RemoteDocument {
    return this.#document;
  }

  /** Asks the server how the run stands. */
  async refresh(): Promise<RemoteDocument> {
    this.#document = await this.#link.jsonAgain(this.#path);
    return this.#document;
  }

  /**
   * The returned fields, without what is private; rejects with the run's own error when it failed or was aborted, and with
   * M5301 when it waits for an answer; open while it is paused.
   */
  get output(): Promise<O> {
    this.#output ??= this.#waited();
    // Who does not await it must not get an unhandled rejection.
    this.#output.catch(() => {});
    return this.#output;
  }

  /** All events, from the first on; each subscriber has a connection of its own until it leaves or the run is over. */
  get events$(): Run["events$"] {
    return followedEvents((to) => this.#link.follow(this.id, to));
  }

  /** Each step as it is done. */
  async *[Symbol.asyncIterator](): AsyncIterator<RemoteStep> {
    const leaving = new AbortController();
    const steps: RemoteStep[] = [];
    let news = Promise.withResolvers<void>();
    const next = (event: RunEvent) => {
      if (event.kind !== "commit" || event.path !== undefined) return;
      const { step, node, attempt, output } = event;
      steps.push({ step, node, attempt, output });
      news.resolve();
    };
    let isOver = false;
    const following = this.#link.follow(this.id, { next, signal: leaving.signal }).finally(() => {
      isOver = true;
      news.resolve();
    });
    following.catch(() => {});
    try {
      for (;;) {
        yield* steps.splice(0);
        if (isOver) break;
        await news.promise;
        news = Promise.withResolvers();
      }
      await following;
    } finally {
      leaving.abort();
    }
  }

  async steps(): Promise<readonly RemoteStep[]> {
    return (await this.#link.jsonAgain(`${this.#path}/steps`)).steps as readonly RemoteStep[];
  }

  /** The state behind a step, from 1. */
  async stateAt(step: number): Promise<Readonly<Record<string, unknown>>> {
    const { state } = await this.#link.jsonAgain(`${this.#path}/steps/${step}`);
    return state as Readonly<Record<string, unknown>>;
  }

  /**
   * Answers one of `interrupts`: as a person types it, or as a value of `Answer`, which may be a file (`{ name, data }`) or a
   * list of files. M5310 for one that is answered, M5317 for a file that can't be taken.
   */
  async answer(
    id: string,
    answer: Answer | string,
    options: RemoteAnswerOptions = {},
  ): Promise<void> {
    const { key = crypto.randomUUID() } = options;
    const form = typeof answer === "string" ? undefined : formOf(answer);
    const path = `${this.#path}/questions/${encodeURIComponent(id)}/${form === undefined ? "answer" : "files"}`;
    const body = form ?? (typeof answer === "string" ? { text: answer } : { answer });
    await this.#act(this.#link.jsonAgain(path, { body, headers: { "idempotency-key": key } }));
  }

  async cancel(reason?: string): Promise<void> {
    const body = reason === undefined ? {} : { reason };
    await this.#act(this.#link.json(`${this.#path}/cancel`, { body }));
  }

  async resume(): Promise<void> {
    await this.#act(this.#link.json(`${this.#path}/resume`, { body: {} }));
  }

  /** Says something to its agents, or to the node `to`. */
  async steer(text: string, options: { readonly to?: string } = {}): Promise<void> {
    this.#document = await this.#link.json(`${this.#path}/steer`, { body: { text, ...options } });
  }

  /** Another run from a step of this one, with other values of some fields; 0 is the start. */
  async fork(step: number, values?: Readonly<Record<string, unknown>>): Promise<RemoteRun<O>> {
    const body = { step, ...(values === undefined ? {} : { values }) };
    return new RemoteRun(this.#link, await this.#link.json(`${this.#path}/fork`, { body }));
  }

  async artifacts(): Promise<readonly Artifact[]> {
    return (await this.#link.jsonAgain(`${this.#path}/artifacts`)).artifacts as readonly Artifact[];
  }

  async artifact(id: string): Promise<Uint8Array> {
    return await this.#link.bytes(`${this.#path}/artifacts/${encodeURIComponent(id)}`);
  }

  /** The compiled graph; with the labels of calls (`go#1`), the one that they lead to, as of a plan. */
  async program(calls: readonly string[] = []): Promise<unknown> {
    const query = calls.length === 0 ? "" : `?${new URLSearchParams({ in: calls.join("/") })}`;
    return (await this.#link.jsonAgain(`${this.#path}/program${query}`)).program;
  }

  /** The drawing of the run as it stands, which keeps up with it in a notebook. */
  async drawing() {
    // Loaded only now: a script that draws nothing needs nothing of it.
    const { RemoteDrawing } = await import("./remote-drawing.ts");
    return await RemoteDrawing.of(this);
  }

  /** Has a notebook show its drawing. */
  async toMimeBundle(): Promise<Bundle> {
    const drawing = await this.drawing();
    drawing.stop();
    return drawing.toMimeBundle();
  }

  async #act(acting: Promise<RemoteDocument>): Promise<void> {
    this.#document = await acting;
    this.#output = undefined;
  }

  async #waited(): Promise<O> {
    for (;;) {
      const asked = Date.now();
      this.#document = await this.#link.jsonAgain(`${this.#path}?wait=${WAIT}`);
      const { status, output, error } = this.#document;
      if (status === "succeeded") return output as O;
      if (status === "waiting") throw this.#waits();
      if (status === "failed" || status === "aborted") throw this.#failed(error);
      // A run that is paused comes to rest at once.
      if (status === "paused" && Date.now() - asked < 1000)
        await new Promise((resolve) => setTimeout(resolve, 1000));
    }
  }

  #waits(): RunError {
    const [question] = this.interrupts;
    const { id = "", question: text = "" } = question ?? {};
    return new RunError("M5301", `run \`${this.id}\` waits for an answer: ${text}`, {
      hint: `await run.answer(${JSON.stringify(id)}, …)`,
      runId: this.id,
      node: question?.node,
    });
  }

  #failed(error: unknown): RunError {
    const {
      code = "M5005",
      message = `run ${this.status}`,
      hint,
      node,
    } = isRecord(error) ? error : {};
    return new RunError(String(code) as Code, String(message), {
      hint: typeof hint === "string" ? hint : undefined,
      runId: this.id,
      node: typeof node === "string" ? node : undefined,
    });
  }

  get #path(): string {
    return `/runs/${encodeURIComponent(this.id)}`;
  }
}

/** The form of an answer that is one file or several; undefined for any other. */
function formOf(answer: Answer): FormData | undefined {
  if (answer.kind !== "value") return undefined;
  const files: readonly unknown[] = [answer.value].flat();
  if (files.length === 0 || !files.every(isGivenFile)) return undefined;
  const form = new FormData();
  for (const { name, data } of files)
    form.append("file", new Blob([typeof data === "string" ? data : new Uint8Array(data)]), name);
  if (answer.as !== undefined) form.set("as", answer.as);
  if (answer.remember !== undefined) form.set("remember", answer.remember);
  return form;
}
