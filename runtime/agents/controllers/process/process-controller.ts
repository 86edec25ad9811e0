/** Makes a controller of a strong agent that is a program on this machine: sessions, turns, forks, and what is cut off. */
import { randomUUID } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { systemClock, type TimerClock } from "../../../clock.ts";
import type { ModelSource } from "../../../records/call-records.ts";
import {
  type ApprovalAnswer,
  type Controller,
  type ControllerCapabilities,
  type ControllerChunk,
  controller,
  type ResumeRequest,
  type SessionHandle,
  type SessionSnapshot,
  type StartRequest,
} from "../../operator/controller.ts";
import type { OpenSkillFile } from "../../skills/skill-tools.ts";
import type { OpenResources } from "../../tools/tool-caller.ts";
import { serveState } from "../state-server/state-server.ts";
import { readAgentOptions, type StrongAgentOptions } from "./agent-options.ts";
import type { StopTimes } from "./agent-process.ts";
import {
  AgentTurn,
  type EndingIo,
  isQuestion,
  type PlayedTurn,
  type TurnQuestion,
} from "./agent-turn.ts";
import type { AgentKind, AgentWire, AttachedFile, WiredSession } from "./agent-wire.ts";
import { type AgentWorkspace, missingFolder, openWorkspace } from "./agent-workspace.ts";
import { CutOffTurn } from "./cut-off-turn.ts";
import { type AgentVariables, agentEnvironment } from "./environment.ts";
import { findProgram, missingProgram } from "./find-program.ts";
import { noLongerWanted, takePlace } from "./process-pool.ts";

/** The surroundings of a strong agent: those of its run, or of whoever makes it. */
export interface AgentSurroundings {
  readonly env: AgentVariables;
  /** The folder of the program; that of the process if not said. */
  readonly folder?: string;
  /** Closes what a turn left open when the run ends. */
  readonly open?: OpenResources;
  /** The bytes of an artifact of the run. */
  readonly bytesOf?: (hash: string) => Uint8Array;
  /** Opens further files of the node's skills. */
  readonly openSkillFile?: OpenSkillFile;
  readonly clock?: TimerClock;
  readonly stopTimes?: StopTimes;
}

/** An interrupted agent has stopped within 2 s. */
const STOP_TIMES: StopTimes = { asked: 1200, interrupted: 400, terminated: 300 };
const IDLE_MS = 600_000;
const POOL = 4;
/** A longer instruction is a file, which the agent is told to read. */
const INSTRUCTION_BYTES_MAX = 128 * 1024;

/** The number of turns of each session, as this process knows it. */
const turnsOf = new Map<string, number>();

export function processController(
  kind: AgentKind,
  given: unknown,
  surroundings: AgentSurroundings,
): Controller {
  const options = readAgentOptions(kind.name, given);
  return controller(new ProcessController(kind, options, surroundings));
}

class ProcessController implements Controller {
  readonly name: string;
  readonly source: ModelSource;
  readonly capabilities: ControllerCapabilities;
  readonly #kind: AgentKind;
  readonly #options: StrongAgentOptions;
  readonly #of: AgentSurroundings;
  readonly #turns = new Map<string, PlayedTurn>();
  /** Forks that are made with their next turn. */
  readonly #forks = new Map<string, SessionSnapshot>();
  /** The parts of the last turn of a session that a snapshot needs. */
  readonly #left = new Map<string, { wire: AgentWire; workspace: AgentWorkspace }>();

  constructor(kind: AgentKind, options: StrongAgentOptions, surroundings: AgentSurroundings) {
    this.name = kind.name;
    this.source = options.source ?? "live";
    this.capabilities = kind.capabilities;
    this.#kind = kind;
    this.#options = options;
    this.#of = surroundings;
  }

  async start(request: StartRequest, signal?: AbortSignal): Promise<SessionHandle> {
    return this.#handle(await this.#play(request, { kind: "new" }, signal), 1);
  }

  async resume(request: ResumeRequest, signal?: AbortSignal): Promise<SessionHandle> {
    const { sessionId } = request;
    const fork = this.#forks.get(sessionId);
    const before = fork?.turn ?? this.#turnsOf(sessionId) ?? request.turn ?? 0;
    if (request.received !== undefined) return this.#askToContinue(request, Math.max(1, before));
    const session: WiredSession =
      fork === undefined ? { kind: "next", sessionId } : { kind: "fork", from: fork, sessionId };
    const played = await this.#play(request, session, signal);
    this.#forks.delete(sessionId);
    return this.#handle(played, before + 1);
  }

  async *stream(handle: SessionHandle): AsyncGenerator<ControllerChunk> {
    const turn = this.#turns.get(keyOf(handle));
    if (turn === undefined) return;
    try {
      yield* turn.chunks;
    } finally {
      // The run has left this turn, so no event of it is read.
      await turn.interrupt();
    }
  }

  async answer(handle: SessionHandle, answer: ApprovalAnswer): Promise<void> {
    this.#turns.get(keyOf(handle))?.answer(answer);
  }

  async interrupt(handle: SessionHandle, reason?: string): Promise<void> {
    await this.#turns.get(keyOf(handle))?.interrupt(reason);
  }

  async steer(handle: SessionHandle, text: string): Promise<void> {
    this.#turns.get(keyOf(handle))?.steer(text);
  }

  async snapshot({ sessionId, turn }: SessionHandle): Promise<SessionSnapshot> {
    const { wire, workspace } = this.#left.get(sessionId) ?? {};
    const cursor = wire?.cursor?.();
    return {
      controller: this.name,
      sessionId,
      turn,
      history: { messages: turn * 2, ...(cursor === undefined ? {} : { cursor }) },
      workspace: {
        path: workspace?.folder ?? this.#options.cwd ?? ".",
        ...(workspace?.owner === undefined ? {} : { owner: workspace.owner }),
      },
    };
  }

  async restore(snapshot: SessionSnapshot): Promise<SessionHandle> {
    const { sessionId, turn } = snapshot;
    const known = this.#turnsOf(sessionId);
    if (known === undefined || known === turn || snapshot.history?.cursor === undefined)
      return { sessionId, turn };
    const fork = randomUUID();
    this.#forks.set(fork, snapshot);
    return { sessionId: fork, turn };
  }

  async close(handle: SessionHandle): Promise<void> {
    await this.interrupt(handle);
    this.#turns.delete(keyOf(handle));
  }

  // ── turns ─────────────────────────────────────────────────────────────────────────────────────

  #turnsOf(sessionId: string): number | undefined {
    return turnsOf.get(`${this.name} ${sessionId}`);
  }

  #handle({ sessionId, turn: played }: Played, turn: number): SessionHandle {
    turnsOf.set(`${this.name} ${sessionId}`, turn);
    this.#turns.set(keyOf({ sessionId, turn }), played);
    return { sessionId, turn };
  }

  /** A turn whose process ended with ours: a person says whether the session goes on. */
  #askToContinue(request: ResumeRequest, turn: number): SessionHandle {
    const { sessionId, received = 0, earlier = [], isAnswered = false } = request;
    const last = isAnswered ? earlier.at(-1) : undefined;
    const pending = last !== undefined && isQuestion(last) ? last : undefined;
    const proceed = async (answer: ApprovalAnswer | undefined) => {
      const words = answer === undefined ? CONTINUED : answeredText(pending, answer);
      const instruction = `${words}\n\nThe task was:\n\n${request.instruction}`;
      const session = { kind: "next", sessionId } as const;
      return (await this.#play({ ...request, instruction }, session)).turn;
    };
    const of = { agent: this.name, key: request.key, received, pending, proceed };
    const cutOff = new CutOffTurn(of);
    this.#turns.set(keyOf({ sessionId, turn }), cutOff);
    return { sessionId, turn };
  }

  async #play(
    request: StartRequest & Partial<ResumeRequest>,
    session: WiredSession,
    signal?: AbortSignal,
  ): Promise<Played> {
    const { pool = POOL } = this.#options;
    const env = agentEnvironment(this.#of.env, this.#options.env ?? [], this.name);
    const program = this.#program(env.PATH);
    const giveBack = await takePlace(this.name, pool, signal);
    const held = [giveBack];
    const leave = () => {
      for (const free of held.splice(0)) free();
    };
    try {
      const ownFolder = mkdtempSync(join(tmpdir(), "madrigal-agent-"));
      held.push(() => rmSync(ownFolder, { recursive: true, force: true }));
      const server = await serveState(request, this.#of.openSkillFile);
      held.push(() => void server.close());
      const workspace = await this.#workspace(request, session, signal);
      const wire = this.#kind.wire({
        program,
        folder: workspace.folder,
        ...this.#wordsOf(request, ownFolder),
        session,
        options: this.#options,
        tools: request.tools,
        isRepair: request.repair === true,
        server: server.offered,
        ownFolder,
      });
      const own = { ...env, ...this.#options.set };
      if (signal?.aborted === true) throw noLongerWanted(this.name);
      const turn = this.#begin({ wire, workspace, env: own, session });
      server.turn = turn;
      void turn.over.then(leave);
      const stop = () => void turn.interrupt();
      signal?.addEventListener("abort", stop, { once: true });
      const sessionId = await turn.started.finally(() =>
        signal?.removeEventListener("abort", stop),
      );
      this.#left.set(sessionId, { wire, workspace });
      return { sessionId, turn };
    } catch (thrown) {
      leave();
      throw thrown;
    }
  }

  #begin({ wire, workspace, env, session }: TurnParts): AgentTurn {
    const { timeoutMs, idleMs = IDLE_MS } = this.#options;
    const { clock = systemClock, stopTimes = STOP_TIMES } = this.#of;
    return new AgentTurn({
      agent: this.name,
      wire,
      env,
      folder: workspace.folder,
      clock,
      stopTimes,
      timeoutMs,
      idleMs,
      sessionId: session.kind === "next" ? session.sessionId : undefined,
      ending: async (end, io: EndingIo) => {
        if (end.kind !== "completed") return end;
        return (await workspace.submit?.(io)) ?? end;
      },
    });
  }

  #program(path: string | undefined): readonly string[] {
    const [name = "", ...args] = this.#options.command ?? this.#kind.program;
    const found = findProgram(name, path);
    if (found === undefined) throw missingProgram(name, this.name, this.#kind.install);
    return [found, ...args];
  }

  async #workspace(
    request: StartRequest & Partial<ResumeRequest>,
    session: WiredSession,
    signal = new AbortController().signal,
  ): Promise<AgentWorkspace> {
    const snapshot = session.kind === "fork" ? session.from : request.snapshot;
    const workspace = await openWorkspace(this.#options, {
      run: request.runId,
      owner: snapshot?.workspace?.owner ?? request.nodeRunId,
      key: request.key,
      from: this.#of.folder,
      open: this.#of.open,
      signal,
    });
    if (!isFolder(workspace.folder)) throw missingFolder(this.name, workspace.folder);
    return workspace;
  }

  /** The words of the turn; what is too long for a message is a file. */
  #wordsOf(request: StartRequest, ownFolder: string) {
    const attachments = (request.attachments ?? []).map(
      ({ name, mime, hash }, at): AttachedFile => {
        // Two of them may have the same name.
        const folder = join(ownFolder, "attached", String(at + 1));
        mkdirSync(folder, { recursive: true });
        const bytes = this.#of.bytesOf?.(hash) ?? new Uint8Array();
        const path = join(folder, basename(name));
        writeFileSync(path, bytes);
        return { name, mime, path, bytes };
      },
    );
    const words = { attachments, ...omitUndefined(request) };
    if (Buffer.byteLength(request.instruction) <= INSTRUCTION_BYTES_MAX)
      return { ...words, instruction: request.instruction };
    const path = join(ownFolder, "task.md");
    writeFileSync(path, request.instruction);
    return {
      ...words,
      instruction: `Your whole task is in the file ${path}. Read all of it, then do it.`,
    };
  }
}

interface Played {
  readonly sessionId: string;
  readonly turn: PlayedTurn;
}

interface TurnParts {
  readonly wire: AgentWire;
  readonly workspace: AgentWorkspace;
  readonly env: Readonly<Record<string, string>>;
  readonly session: WiredSession;
}

const CONTINUED =
  "Your work on this task was cut off: the process that you worked in has ended. Look at what you have done so far before you do anything else; a call that had no result may have taken effect. Then go on.";

/** The words that tell an agent what was answered while its process had ended. */
function answeredText(pending: TurnQuestion | undefined, answer: ApprovalAnswer): string {
  const isLeave = pending?.kind === "approval_requested";
  const what = isLeave ? `leave for a call of ${pending.tool}` : "an answer to your question";
  const { decision, reason = "no reason is given" } = answer;
  if (decision === "deny")
    return `You waited for ${what}. It is refused: ${reason}. Go on without it.`;
  if (pending?.kind === "recall_requested")
    return `You asked ${pending.memory} for "${pending.query}". It has: ${JSON.stringify(answer.input)}. Go on with it.`;
  if (pending?.kind === "input_requested")
    return `You waited for ${what} "${pending.message}". It is given: ${JSON.stringify(answer.input ?? "yes")}. Go on with it; where you must ask again, the answer is the same.`;
  return `You waited for ${what}. It is given: make the same call again, with the same input, then go on.`;
}

function omitUndefined({ system, outputSchema }: StartRequest) {
  return {
    ...(system === undefined ? {} : { system }),
    ...(outputSchema === undefined ? {} : { outputSchema }),
  };
}

function keyOf({ sessionId, turn }: SessionHandle): string {
  return `${sessionId} ${turn}`;
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
