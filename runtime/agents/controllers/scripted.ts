/** Plays a script as a controller, for tests and demonstrations. Its trace says `scripted`. */

import { RunError } from "../../failure.ts";
import {
  type ApprovalAnswer,
  type Controller,
  type ControllerCapabilities,
  type ControllerChunk,
  controller,
  controllerLost,
  type ResumeRequest,
  type SessionHandle,
  type SessionSnapshot,
  type StartRequest,
  sessionGone,
} from "../operator/controller.ts";
import { newTurn, playTurn, type ScriptedTurn, type TurnState } from "./scripted-turn.ts";

/** The turns in the order in which they are asked for, the last one again and again; or what to do, by request. */
export type ControllerScript =
  | readonly ScriptedTurn[]
  | ((request: StartRequest, turn: number) => ScriptedTurn);

export interface ScriptedOptions {
  /** `scripted` if not said. */
  readonly name?: string;
  readonly capabilities?: Partial<ControllerCapabilities>;
}

/**
 * A controller with scripted turns; `calls` lists the calls that it received, in order: `start s1`, `resume s1`,
 * `interrupt s1`, …
 */
export interface ScriptedController extends Controller {
  readonly calls: readonly string[];
  /** The request of each turn. */
  readonly requests: readonly StartRequest[];
  /** Forgets a session, as an agent does whose files were deleted. */
  forget(sessionId: string): void;
}

const EVERYTHING: ControllerCapabilities = {
  resume: true,
  reattach: true,
  structuredOutput: true,
  approvals: true,
  snapshot: true,
  facets: ["history", "workspace", "browser"],
};

/** Makes a controller out of what it will say. The same script says the same each time. */
export function scriptedController(
  script: ControllerScript,
  options: ScriptedOptions = {},
): ScriptedController {
  if (Array.isArray(script) && script.length === 0) throw emptyScript();
  return controller(new Scripted(script, options));
}

interface ScriptedSession {
  readonly id: string;
  /** The history of the session: one entry a turn. */
  readonly turns: readonly TurnState[];
}

class Scripted implements ScriptedController {
  readonly name: string;
  readonly source = "scripted";
  readonly capabilities: ControllerCapabilities;
  readonly calls: string[] = [];
  readonly requests: StartRequest[] = [];
  readonly #script: ControllerScript;
  readonly #sessions = new Map<string, ScriptedSession>();
  #made = 0;
  #asked = 0;

  constructor(script: ControllerScript, { name = "scripted", capabilities }: ScriptedOptions) {
    this.name = name;
    this.capabilities = { ...EVERYTHING, ...capabilities };
    this.#script = script;
  }

  async start(request: StartRequest): Promise<SessionHandle> {
    const id = this.#newId();
    this.calls.push(`start ${id}`);
    return this.#turn({ id, turns: [] }, request);
  }

  async resume({ received, ...request }: ResumeRequest): Promise<SessionHandle> {
    const { sessionId } = request;
    this.calls.push(`resume ${sessionId}${received === undefined ? "" : ` after ${received}`}`);
    const session = this.#session(sessionId);
    if (received === undefined) return this.#turn(session, request);
    const state = session.turns.at(-1);
    if (state === undefined) throw sessionGone(this.name, sessionId);
    if (!this.capabilities.reattach) throw controllerLost(this.name, "its turn was cut off");
    state.continueFrom(received);
    return { sessionId, turn: session.turns.length };
  }

  stream({ sessionId, turn }: SessionHandle): AsyncIterable<ControllerChunk> {
    return playTurn(this.#stateOf(sessionId, turn), { name: this.name, sessionId });
  }

  async answer({ sessionId, turn }: SessionHandle, answer: ApprovalAnswer): Promise<void> {
    this.calls.push(`answer ${sessionId} ${answer.approvalId} ${answer.decision}`);
    this.#stateOf(sessionId, turn).answer(answer);
  }

  async interrupt({ sessionId, turn }: SessionHandle, reason?: string): Promise<void> {
    this.calls.push(`interrupt ${sessionId}${reason === undefined ? "" : ` ${reason}`}`);
    this.#sessions.get(sessionId)?.turns[turn - 1]?.interrupt();
  }

  async snapshot({ sessionId }: SessionHandle): Promise<SessionSnapshot> {
    const { turns } = this.#session(sessionId);
    return {
      controller: this.name,
      sessionId,
      turn: turns.length,
      history: { messages: turns.length * 2, cursor: `${turns.length}` },
      workspace: { path: ".", revision: `${sessionId}.${turns.length}` },
      browser: {},
    };
  }

  async restore({ sessionId, turn }: SessionSnapshot): Promise<SessionHandle> {
    this.calls.push(`restore ${sessionId} to ${turn}`);
    const session = this.#session(sessionId);
    if (session.turns.length === turn) return { sessionId, turn };
    const id = this.#newId();
    this.#sessions.set(id, { id, turns: session.turns.slice(0, turn) });
    return { sessionId: id, turn };
  }

  async close({ sessionId }: SessionHandle): Promise<void> {
    this.calls.push(`close ${sessionId}`);
  }

  forget(sessionId: string): void {
    this.#sessions.delete(sessionId);
  }

  #turn({ id, turns }: ScriptedSession, request: StartRequest): SessionHandle {
    const turn = turns.length + 1;
    this.requests.push(request);
    const state = newTurn(this.#says(request, turn));
    this.#sessions.set(id, { id, turns: [...turns, state] });
    return { sessionId: id, turn };
  }

  #says(request: StartRequest, turn: number): ScriptedTurn {
    if (typeof this.#script === "function") return this.#script(request, turn);
    const scripted = this.#script[Math.min(this.#asked, this.#script.length - 1)];
    this.#asked += 1;
    if (scripted === undefined) throw emptyScript();
    return scripted;
  }

  #newId(): string {
    this.#made += 1;
    return `${this.name}-${this.#made}`;
  }

  #session(sessionId: string): ScriptedSession {
    const session = this.#sessions.get(sessionId);
    if (session === undefined) throw sessionGone(this.name, sessionId);
    return session;
  }

  #stateOf(sessionId: string, turn: number): TurnState {
    const state = this.#session(sessionId).turns[turn - 1];
    if (state === undefined) throw sessionGone(this.name, sessionId);
    return state;
  }
}

function emptyScript(): RunError {
  return new RunError("M8509", "a scripted controller needs a turn to play", {
    hint: 'scriptedController([{ says: "done" }])',
  });
}
