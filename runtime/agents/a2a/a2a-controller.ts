/** Makes the controller of a remote agent: a session is a context of A2A, a turn one of its tasks. */
import type { Envelope } from "../../envelope.ts";
import { FailureError } from "../../failure.ts";
import {
  type ApprovalAnswer,
  type Controller,
  type ControllerCapabilities,
  type ControllerChunk,
  type ControllerEvent,
  controller,
  controllerLost,
  type ResumeRequest,
  type SessionHandle,
  type SessionSnapshot,
  type StartRequest,
  sessionGone,
} from "../operator/controller.ts";
import { partOfEnvelope } from "./envelope-parts.ts";
import { isUnknownTask } from "./failures.ts";
import { RemoteAgent } from "./remote-agent.ts";
import { type A2aOptions, type RemotePlace, remotePlace } from "./remote-options.ts";
import { RemoteTurn } from "./remote-turn.ts";
import { type RemoteSession, sessionName, sessionNamed } from "./session-name.ts";
import { TurnReader } from "./turn-reader.ts";
import type { A2aMessage, WirePart } from "./wire.ts";

/**
 * The controller of the agent at an address: that of its card, or of the folder that its card lies in. Throws M5208 for what is no
 * address; what is wrong with the agent is told when its first turn begins.
 */
export function a2aController(url: string, options: A2aOptions = {}): Controller {
  return remoteController(remotePlace(url, options, { env: process.env, isWritten: true }));
}

export function remoteController(place: RemotePlace): Controller {
  return controller(new A2aController(place));
}

const CAPABILITIES: ControllerCapabilities = {
  resume: true,
  reattach: true,
  structuredOutput: false,
  approvals: false,
  snapshot: false,
  facets: [],
};

interface KnownTurn {
  readonly known?: readonly ControllerEvent[];
  readonly earlier?: readonly ControllerEvent[];
}

class A2aController implements Controller {
  readonly name: string;
  readonly source = "live";
  readonly capabilities = CAPABILITIES;
  readonly #place: RemotePlace;
  readonly #turns = new Map<string, RemoteTurn>();
  readonly #stop = new AbortController();
  #agent: Promise<RemoteAgent> | undefined;

  constructor(place: RemotePlace) {
    this.#place = place;
    this.name = `a2a:${place.url.host}${place.url.pathname.replace(/\/$/, "")}`;
  }

  async start(request: StartRequest, signal?: AbortSignal): Promise<SessionHandle> {
    return await this.#begin(request, { contextId: "", taskId: "", turn: 0 }, signal);
  }

  async resume(request: ResumeRequest, signal?: AbortSignal): Promise<SessionHandle> {
    const session = sessionNamed(request.sessionId);
    if (request.received !== undefined) return await this.#reattach(request, session);
    const agent = await this.#known();
    const { taskId, contextId } = session;
    const isThere =
      taskId === ""
        ? (await agent.tasksIn(contextId, this.#stop.signal)) !== 0
        : await this.#hasTask(agent, taskId);
    if (!isThere) throw sessionGone(this.name, request.sessionId);
    return await this.#begin(request, session, signal);
  }

  stream({ sessionId }: SessionHandle): AsyncIterable<ControllerChunk> {
    const turn = this.#turns.get(sessionId);
    if (turn === undefined) throw sessionGone(this.name, sessionId);
    return turn.play();
  }

  async answer({ sessionId }: SessionHandle, answer: ApprovalAnswer): Promise<void> {
    await this.#turns.get(sessionId)?.answer(answer);
  }

  async interrupt({ sessionId }: SessionHandle): Promise<void> {
    await this.#turns.get(sessionId)?.interrupt();
  }

  async detach({ sessionId }: SessionHandle): Promise<void> {
    this.#turns.get(sessionId)?.leave();
  }

  async snapshot({ sessionId }: SessionHandle): Promise<SessionSnapshot> {
    throw sessionGone(this.name, sessionId);
  }

  async restore({ sessionId }: SessionSnapshot): Promise<SessionHandle> {
    throw sessionGone(this.name, sessionId);
  }

  async close({ sessionId }: SessionHandle): Promise<void> {
    this.#turns.get(sessionId)?.leave();
  }

  #known(): Promise<RemoteAgent> {
    this.#agent ??= RemoteAgent.at(this.#place, this.#stop.signal);
    const agent = this.#agent;
    // One that was not there may be there for the next attempt.
    agent.catch(() => {
      this.#agent = undefined;
    });
    return agent;
  }

  async #hasTask(agent: RemoteAgent, taskId: string): Promise<boolean> {
    try {
      await agent.task(taskId, this.#stop.signal);
      return true;
    } catch (thrown) {
      if (isUnknownTask(thrown)) return false;
      throw thrown;
    }
  }

  async #begin(
    request: StartRequest,
    before: RemoteSession,
    signal: AbortSignal | undefined,
  ): Promise<SessionHandle> {
    const turn = await this.#turn(request, before.turn + 1);
    signal?.throwIfAborted();
    await turn.begin(messageOf(request, before));
    // The run has left this task, and the agent does not know that.
    if (signal?.aborted === true) await turn.interrupt();
    const { contextId = "", taskId = "" } = turn.reader;
    const session = { contextId, taskId, turn: before.turn + 1 };
    return this.#keep(turn, session);
  }

  async #reattach(request: ResumeRequest, session: RemoteSession): Promise<SessionHandle> {
    const { received = 0, earlier } = request;
    const before = this.#turns.get(request.sessionId);
    const facts = earlier ?? before?.facts ?? [];
    if (session.taskId === "")
      throw controllerLost(this.name, "it answered without a task, and the answer was lost");
    const turn = await this.#turn(request, session.turn, {
      known: facts,
      earlier: facts.slice(0, received),
    });
    try {
      await turn.reattach(session.taskId, facts.slice(received));
    } catch (thrown) {
      if (isUnknownTask(thrown)) throw sessionGone(this.name, request.sessionId);
      throw thrown instanceof FailureError
        ? thrown
        : controllerLost(this.name, `${thrown}`, thrown);
    }
    return this.#keep(turn, session);
  }

  #keep(turn: RemoteTurn, session: RemoteSession): SessionHandle {
    const sessionId = sessionName(session);
    this.#turns.set(sessionId, turn);
    return { sessionId, turn: session.turn };
  }

  /** `known` are the events of a turn that goes on that were ever read, `earlier` those that the operator has. */
  async #turn(request: StartRequest, turn: number, { known, earlier }: KnownTurn = {}) {
    const agent = await this.#known();
    const { timeoutMs, reconnectMs, url } = this.#place;
    const { name, version } = agent.card;
    const reader = new TurnReader({
      agent: url.host,
      who: { model: name, ...(version ? { version } : {}) },
      sessionId: (task) => sessionName({ ...task, turn }),
      asksValue: request.outputSchema !== undefined,
      ...(known === undefined ? {} : { earlier: known }),
    });
    const of = { agent, address: url.host, key: request.key, reader, timeoutMs, reconnectMs };
    return new RemoteTurn(of, earlier);
  }
}

/** The message of a turn: its text, the values that its node reads, and the messages of other nodes. */
function messageOf(request: StartRequest, { contextId, taskId }: RemoteSession): A2aMessage {
  const { key, system, instruction, stateView, inbox } = request;
  const text = system === undefined ? instruction : `${system}\n\n${instruction}`;
  const values: readonly WirePart[] =
    Object.keys(stateView).length === 0 ? [] : [{ data: stateView, mediaType: "application/json" }];
  return {
    messageId: key,
    role: "ROLE_USER",
    ...(contextId === "" ? {} : { contextId }),
    ...(taskId === "" ? {} : { referenceTaskIds: [taskId] }),
    parts: [
      { text, mediaType: "text/plain" },
      ...values,
      ...inbox.map((one) => partOfEnvelope(one as Envelope)),
    ],
  };
}
