/** Answers the requests of A2A for one graph: a task is a run, a context a thread, and the log of the run is all that is kept. */
import type { Message, StreamResponse, Task, TaskPushNotificationConfig } from "@a2a-js/sdk";
import type { A2ARequestHandler } from "@a2a-js/sdk/server";
import {
  type Graph,
  messageOf,
  type Run,
  RunError,
  type RunEvent,
  type remote,
  type Session,
} from "../../runtime/index.ts";
import { eventsOf, isLost } from "../cli/run/run-facts.ts";
import { CommandError } from "../command-error.ts";
import { answerOfMessage } from "../read-answer.ts";
import { isAnsweredBy } from "../shown-question.ts";
import { answerIn, inputIn, MessageFault } from "./message-input.ts";
import { PushNotices } from "./push-notices.ts";
import { updatesOf } from "./run-updates.ts";
import { LatestEntries, RunsAtHand } from "./runs-at-hand.ts";
import type { Sdk } from "./sdk.ts";
import { isEnded, taskOf } from "./task-of-run.ts";

/** The reason with which the runs of a server that ends are paused: its next start goes on with them. */
export const SERVER_ENDED = "the A2A server ended";

const ID_MAX = 500;
const PAGE_MAX = 100;

/** A message that comes again is known among so many. */
const MESSAGES_MAX = 100_000;

interface TasksOf {
  readonly session: Session;
  readonly graph: Graph;
  readonly card: Readonly<Record<string, unknown>>;
  readonly sdk: Sdk;
  readonly tell: (line: string) => void;
}

export class GraphTasks implements A2ARequestHandler {
  readonly #of: TasksOf;
  readonly #notices: PushNotices;
  readonly #runs = new RunsAtHand();
  /** The run that each message has begun or was answered in, of the latest. */
  readonly #byMessage = new LatestEntries<string>(MESSAGES_MAX);

  constructor(of: TasksOf) {
    this.#of = of;
    this.#notices = new PushNotices(of.sdk, of.tell);
  }

  /** Goes on with the runs of clients that an earlier server left in the middle. */
  async resumeAll(): Promise<void> {
    const { session, graph } = this.#of;
    const found: (readonly [string, string])[] = [];
    for (const summary of session.list()) {
      const { runId, request = "", status, reason, graph: name } = summary;
      if (name !== graph.name || !isOfClient(request)) continue;
      const run = this.#find(runId);
      if (run === undefined) continue;
      found.push([request.slice(REQUEST.length), runId]);
      const isLeft = isLost(summary) || (status === "paused" && reason === SERVER_ENDED);
      if (isLeft)
        await run.resume().catch((thrown) => this.#of.tell(`madrigal serve: ${messageOf(thrown)}`));
    }
    // The list begins with the newest.
    for (const [message, runId] of found.toReversed()) this.#byMessage.set(message, runId);
  }

  /** Pauses the runs that are under way. */
  async leave(): Promise<void> {
    const open = this.#runs.all.filter(({ status }) => status === "running");
    await Promise.all(
      open.map((run) => run.pause({ now: true, reason: SERVER_ENDED }).catch(() => {})),
    );
  }

  getAgentCard: A2ARequestHandler["getAgentCard"] = async () =>
    this.#of.sdk.AgentCard.fromJSON(this.#of.card);

  getAuthenticatedExtendedAgentCard: A2ARequestHandler["getAuthenticatedExtendedAgentCard"] =
    async () => {
      throw new this.#of.sdk.UnsupportedOperationError("there is no other card");
    };

  sendMessage: A2ARequestHandler["sendMessage"] = async ({ message, configuration }) => {
    const run = await this.#take(message);
    this.#notify(run, configuration?.taskPushNotificationConfig);
    if (configuration?.returnImmediately !== true) await run.settled();
    return this.#task(run);
  };

  sendMessageStream: A2ARequestHandler["sendMessageStream"] = async function* (
    this: GraphTasks,
    { message, configuration },
  ) {
    const run = await this.#take(message);
    this.#notify(run, configuration?.taskPushNotificationConfig);
    yield* this.#follow(run);
  };

  resubscribe: A2ARequestHandler["resubscribe"] = async function* (this: GraphTasks, { id }) {
    const run = this.#known(id);
    if (isEnded(run))
      throw new this.#of.sdk.UnsupportedOperationError(`the task ${id} has ended (${run.status})`);
    yield* this.#follow(run);
  };

  getTask: A2ARequestHandler["getTask"] = async ({ id }) => this.#task(this.#known(id));

  listTasks: A2ARequestHandler["listTasks"] = async (asked) => {
    const { sdk, session, graph } = this.#of;
    const { contextId, status, pageSize = 50, pageToken, includeArtifacts } = asked;
    if (!Number.isInteger(pageSize) || pageSize < 1 || pageSize > PAGE_MAX)
      throw new sdk.RequestMalformedError(`pageSize is a number from 1 to ${PAGE_MAX}`);
    if (status !== undefined && status < 0)
      throw new sdk.RequestMalformedError("status is none of a task");
    const from = pageToken === "" ? 0 : Number(pageToken);
    if (!Number.isInteger(from) || from < 0)
      throw new sdk.RequestMalformedError("pageToken is none of ours");
    const all = session
      .list(contextId === "" ? {} : { thread: contextId })
      .filter(({ graph: name, request = "" }) => name === graph.name && isOfClient(request))
      .toSorted((a, b) => b.updatedAt - a.updatedAt)
      .flatMap(({ runId }) => this.#find(runId) ?? [])
      .filter((run) => !status || this.#task(run).status?.state === status);
    const page = all.slice(from, from + pageSize).map((run) => {
      const task = this.#task(run);
      return includeArtifacts === true ? task : { ...task, artifacts: [] };
    });
    const next = from + pageSize < all.length ? `${from + pageSize}` : "";
    return { tasks: page, nextPageToken: next, pageSize, totalSize: all.length };
  };

  cancelTask: A2ARequestHandler["cancelTask"] = async ({ id }) => {
    const run = this.#known(id);
    if (isEnded(run) && run.status !== "aborted")
      throw new this.#of.sdk.TaskNotCancelableError(`the task ${id} has ended (${run.status})`);
    await run.abort("the client cancelled it");
    return this.#task(run);
  };

  createTaskPushNotificationConfig: A2ARequestHandler["createTaskPushNotificationConfig"] = async (
    config,
  ) => this.#notices.add(this.#known(config.taskId), config);

  getTaskPushNotificationConfig: A2ARequestHandler["getTaskPushNotificationConfig"] = async ({
    taskId,
    id,
  }) => {
    const found = this.#notices.of(this.#known(taskId)).find((one) => one.id === id);
    if (found === undefined)
      throw new this.#of.sdk.TaskNotFoundError(`the task ${taskId} has no such configuration`);
    return found;
  };

  listTaskPushNotificationConfigs: A2ARequestHandler["listTaskPushNotificationConfigs"] = async ({
    taskId,
  }) => ({ configs: [...this.#notices.of(this.#known(taskId))], nextPageToken: "" });

  deleteTaskPushNotificationConfig: A2ARequestHandler["deleteTaskPushNotificationConfig"] = async ({
    taskId,
    id,
  }) => this.#notices.remove(this.#known(taskId), id);

  /** The run that a message begins, answers or steers; the same message twice is one. */
  async #take(message: Message | undefined): Promise<Run> {
    const { sdk } = this.#of;
    if (message === undefined || message.messageId === "" || message.messageId.length > ID_MAX)
      throw new sdk.RequestMalformedError("a message has an id");
    if (message.contextId.length > ID_MAX)
      throw new sdk.RequestMalformedError("contextId is too long");
    if (message.parts.length === 0) throw new sdk.RequestMalformedError("a message has parts");
    const { messageId, taskId } = message;
    const known = this.#byMessage.get(messageId);
    if (known !== undefined && (taskId === "" || taskId === known)) return this.#known(known);
    try {
      const run = taskId === "" ? this.#begin(message) : await this.#tell(message);
      this.#byMessage.set(messageId, run.id);
      return run;
    } catch (thrown) {
      throw this.#refusal(thrown);
    }
  }

  /** The error of the protocol for a message that is wrong; anything else is our own fault. */
  #refusal(thrown: unknown): unknown {
    const { sdk } = this.#of;
    const isFault = thrown instanceof MessageFault;
    if (isFault && thrown.isOfContent)
      return new sdk.ContentTypeNotSupportedError({ message: thrown.message, cause: thrown });
    const isTheirs = isFault || thrown instanceof RunError || thrown instanceof CommandError;
    if (!isTheirs) return thrown;
    return new sdk.RequestMalformedError({ message: faultText(thrown), cause: thrown });
  }

  #begin({ messageId, contextId, parts }: Message): Run {
    const { graph } = this.#of;
    const input = inputIn(this.#wire(parts), graph);
    const run = graph.run(input, {
      request: `${REQUEST}${messageId}`,
      breaks: false,
      ...(contextId === "" ? {} : { thread: contextId }),
    });
    run.output.catch(() => {});
    this.#runs.add(run);
    return run;
  }

  async #tell({ messageId, taskId, contextId, parts }: Message): Promise<Run> {
    const { sdk } = this.#of;
    const run = this.#known(taskId);
    if (contextId !== "" && contextId !== run.thread)
      throw new sdk.RequestMalformedError(`the task ${taskId} is of another context`);
    const by = `${REQUEST}${messageId}`;
    if (eventsOf(run).some((event) => isTakenIn(event, by))) return run;
    if (isEnded(run))
      throw new sdk.UnsupportedOperationError(`the task ${taskId} has ended (${run.status})`);
    const given = answerIn(this.#wire(parts));
    const [question] = run.interrupts;
    if (question === undefined)
      await run.steer(typeof given === "string" ? given : JSON.stringify(given.data), { id: by });
    else await run.answer(question.id, answerOfMessage(given, question), { by });
    run.output.catch(() => {});
    return run;
  }

  #follow(run: Run): AsyncGenerator<StreamResponse, void, undefined> {
    const { sdk } = this.#of;
    return (async function* () {
      for await (const event of updatesOf(run)) yield sdk.StreamResponse.fromJSON(event);
    })();
  }

  #notify(run: Run, config: TaskPushNotificationConfig | undefined): void {
    if (config !== undefined) this.#notices.add(run, config);
    this.#notices.watch(run);
  }

  #task(run: Run): Task {
    return this.#of.sdk.Task.fromJSON(taskOf(run));
  }

  #wire(parts: Message["parts"]): readonly remote.WirePart[] {
    return parts.map((part) => this.#of.sdk.Part.toJSON(part) as remote.WirePart);
  }

  #known(id: string): Run {
    const { sdk } = this.#of;
    if (id.trim() === "") throw new sdk.RequestMalformedError("a task has an id");
    const run = this.#find(id);
    if (run === undefined)
      throw new sdk.TaskNotFoundError(`there is no task ${id.slice(0, ID_MAX)}`);
    return run;
  }

  /** A run of this graph that a client has begun, by its whole id alone: those of others on this machine are no tasks. */
  #find(id: string): Run | undefined {
    const known = this.#runs.get(id);
    if (known !== undefined) return known;
    const { session, graph } = this.#of;
    try {
      const { graph: name, request = "" } = session.store.meta(id);
      if (name !== graph.name || !isOfClient(request)) return undefined;
      const run = session.open(id);
      if (run.ir.source?.file !== graph.ir.source?.file) return undefined;
      this.#runs.add(run);
      return run;
    } catch (thrown) {
      if (thrown instanceof RunError && thrown.code === "M5107") return undefined;
      throw thrown;
    }
  }
}

/** The beginning of a run's `request` whose rest is the id of a message. */
const REQUEST = "a2a:";

/** Returns whether it is of a message of a client that an earlier server took in. */
function isTakenIn(event: RunEvent, by: string): boolean {
  if (event.kind === "run.steered") return event.message.id === `s:${by}`;
  return isAnsweredBy(event, by);
}

function isOfClient(request: string): boolean {
  return request.startsWith(REQUEST);
}

function faultText(thrown: unknown): string {
  const { message, hint } = thrown as { readonly message: string; readonly hint?: string };
  const code = thrown instanceof MessageFault ? "" : `${(thrown as RunError).code}: `;
  return `${code}${message}${hint === undefined ? "" : ` (${hint})`}`;
}
