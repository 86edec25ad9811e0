/** Makes TypeScript a debugger target: cells and their modules, by the main thread's inspector. */
import type { Debugger } from "node:inspector";
import type {
  DisconnectKind,
  Evaluated,
  MoveVerb,
  Paging,
  ProtocolFrame,
  Rendered,
  Variable,
  VariableScope,
} from "../protocol.ts";
import type { DebugTarget, DumpedCell, TargetEvents } from "../target.ts";
import { InspectorConnection } from "./connection.ts";
import { type CaughtAt, FILTERS, isWanted, stateOf } from "./exceptions.ts";
import { isOver } from "./is-over.ts";
import { likelyLine } from "./line-map.ts";
import { userStack } from "./stack.ts";
import { StopView } from "./stop-view.ts";
import { decide, isException, MOVES, type WantedStop } from "./stops.ts";

/** There is one thread that runs TypeScript. */
const THREAD = 1;

/**
 * The number of steps through code of others until "pause" comes to the user's code: between timers
 * there is only that of others.
 */
const STEPS_TO_PAUSE = 200;

/** The time that a front end waits for a main thread that does not answer, in milliseconds. */
const BEGIN_MS = 1000;

/** A main thread in native code lets go when that is over; what waits for it need not. */
const LET_GO_MS = 200;

export interface TypeScriptParts {
  readonly events: TargetEvents;
  /** Ends the cell under way. */
  readonly interrupt: () => void;
  /** Declares a name for later cells, as anything. */
  readonly declare: (name: string) => Promise<unknown>;
  readonly caughtAt: CaughtAt;
}

export class TypeScriptTarget implements DebugTarget {
  readonly filters = FILTERS;
  readonly #parts: TypeScriptParts;
  readonly #lines = new Map<string, readonly number[]>();
  #connection: InspectorConnection | undefined;
  #begun: Promise<void> = Promise.resolve();
  #stop: StopView | undefined;
  /** The number of times that the main thread has resumed. */
  #goings = 0;
  #move: Pick<WantedStop, "verb" | "from"> = { verb: "continue", from: [] };
  #isPausing = false;
  #stepsLeft = 0;
  /** The number of interrupts that are about to end what runs; nothing may stop meanwhile. */
  #lettingGo = 0;
  #filters: readonly string[] = [];
  #framesShown = 1;

  constructor(parts: TypeScriptParts) {
    this.#parts = parts;
  }

  takes({ kind }: DumpedCell): boolean {
    return kind === "typescript";
  }

  async attach(): Promise<void> {
    if (this.#connection === undefined) {
      const connection: InspectorConnection = new InspectorConnection({
        events: this.#parts.events,
        lines: this.#lines,
        paused: (event) => void this.#paused(event, connection),
        resumed: () => this.#wentOn(),
      });
      this.#connection = connection;
      this.#begun = connection.begin().then(() => this.#tellFilters(connection));
      this.#begun.catch(() => {}); // It was closed before it had begun.
    }
    // A main thread in native code is debugged from when that is over.
    await Promise.race([this.#begun, after(BEGIN_MS)]);
  }

  detach(leaving: DisconnectKind): void {
    const wasStopped = this.#stop !== undefined;
    this.#lines.clear();
    this.#filters = [];
    this.close();
    if (wasStopped && leaving === "abort") this.#parts.interrupt();
  }

  /** Ends at once; a main thread that is stopped goes on. */
  close(): void {
    this.#connection?.close();
    this.#connection = undefined;
    this.#isPausing = false;
    this.#wentOn();
  }

  /** Nothing stops, and what is stopped goes on, until `work` is over: it ends what is under way. */
  async letGo(work: () => Promise<void>): Promise<void> {
    const inspector = this.#connection?.inspector;
    if (inspector === undefined) return await work();
    const skip = (isSkipping: boolean) =>
      inspector.ask("Debugger.setSkipAllPauses", { skip: isSkipping }).catch(() => {}); // Closed meanwhile.
    this.#lettingGo += 1;
    this.#isPausing = false;
    try {
      const skipping = skip(true);
      const going = this.#stop === undefined ? skipping : this.move("continue").catch(() => {});
      await Promise.race([going, after(LET_GO_MS)]);
      await work();
    } finally {
      this.#lettingGo -= 1;
      if (this.#lettingGo === 0) void skip(false);
    }
  }

  async setBreakpoints(
    { path, code }: DumpedCell,
    lines: readonly number[],
  ): Promise<readonly number[]> {
    const connection = this.#connection;
    const breakpoints = connection?.breakpoints;
    const snapped: number[] = [];
    for (const line of lines) {
      const likely = () => likelyLine(line, code);
      const found =
        breakpoints === undefined ? likely() : await breakpoints.snap(line, path, likely);
      if (found !== undefined && !snapped.includes(found)) snapped.push(found);
    }
    // The debugger has left meanwhile: who comes next has asked for none.
    if (connection !== this.#connection) return [];
    this.#lines.set(path, snapped);
    await breakpoints?.place(path);
    return snapped;
  }

  async setFilters(filters: readonly string[]): Promise<void> {
    this.#filters = filters;
    if (this.#connection !== undefined) await this.#tellFilters(this.#connection);
  }

  async move(verb: MoveVerb): Promise<void> {
    const stop = this.#stop;
    if (stop === undefined || this.#connection === undefined) throw isOver();
    this.#isPausing = false;
    this.#move = { verb, from: stop.called };
    const { inspector } = this.#connection;
    this.#resumed();
    await inspector.ask(MOVES[verb]);
  }

  async pause(): Promise<void> {
    if (this.#stop !== undefined || this.#connection === undefined) return;
    this.#isPausing = true;
    this.#stepsLeft = STEPS_TO_PAUSE;
    await this.#connection.inspector.ask("Debugger.pause");
  }

  frames(): readonly ProtocolFrame[] {
    return this.#stop?.frames ?? [];
  }

  async scopes(frame: number): Promise<readonly VariableScope[]> {
    return await this.#stopped().scopes(frame);
  }

  async variables(reference: number, paging: Paging): Promise<readonly Variable[]> {
    if (this.#connection === undefined) throw isOver();
    return await this.#connection.values.variables(reference, paging);
  }

  async evaluate(expression: string, frame: number | undefined): Promise<Evaluated> {
    return await this.#stopped().evaluate(expression, frame);
  }

  async render(name: string, frame: number | undefined): Promise<Rendered> {
    return await this.#stopped().render(name, frame);
  }

  async copy(name: string, to: { readonly name: string; readonly frame: number }): Promise<void> {
    await this.#stopped().copy(name, to);
    await this.#parts.declare(to.name);
  }

  #stopped(): StopView {
    if (this.#stop === undefined) throw isOver();
    return this.#stop;
  }

  /** A main thread that stands still is either shown or let go: nothing that fails here may keep it. */
  async #paused(
    event: Debugger.PausedEventDataType,
    connection: InspectorConnection,
  ): Promise<void> {
    const { inspector } = connection;
    const goings = this.#goings;
    // As it does when the connection is closed. What it came to since is decided on by itself, and is not let go from here.
    const hasGoneOn = () => goings !== this.#goings;
    try {
      const isOwn = await connection.takeOwn(event);
      const verb =
        isOwn || this.#lettingGo > 0
          ? "continue"
          : await this.#decide(event, connection, hasGoneOn);
      if (verb !== undefined && !hasGoneOn()) await inspector.ask(MOVES[verb]);
    } catch {
      if (!hasGoneOn()) await inspector.ask(MOVES.continue).catch(() => {}); // It was closed, and has gone on by that.
    }
  }

  /**
   * Returns the move by which the paused thread continues; undefined if the pause is shown to the
   * user, or is over.
   */
  async #decide(
    event: Debugger.PausedEventDataType,
    connection: InspectorConnection,
    hasGoneOn: () => boolean,
  ): Promise<MoveVerb | undefined> {
    const frames = await userStack(event, connection.scripts);
    const isEntered = connection.isInFunction(event);
    if (isEntered) await connection.leaveFunctions();
    const { caughtAt } = this.#parts;
    this.#stepsLeft -= 1;
    const wanted = {
      ...this.#move,
      isPausing: this.#isPausing,
      isFollowed: this.#stepsLeft > 0,
      isWanted: () => isWanted(event, this.#filters, { connection, caughtAt }),
    };
    const called = frames.filter(({ call }) => call !== undefined);
    const decision = await decide(event, called, wanted);
    if (hasGoneOn()) return undefined;
    // Also where that began while it was decided.
    if (this.#lettingGo > 0) return "continue";
    if (decision.kind === "go on") return decision.verb;
    this.#isPausing = false;
    const reason = isEntered ? "step" : decision.reason;
    this.#stop = new StopView(connection, frames, this.#framesShown);
    this.#framesShown += frames.length;
    this.#parts.events.stopped(THREAD, { reason, ...exceptionText(event) });
    return undefined;
  }

  #wentOn(): void {
    this.#goings += 1;
    this.#resumed();
  }

  #resumed(): void {
    if (this.#stop === undefined) return;
    this.#stop = undefined;
    this.#connection?.values.forget();
    this.#parts.events.continued(THREAD);
  }

  async #tellFilters({ inspector }: InspectorConnection): Promise<void> {
    await inspector.ask("Debugger.setPauseOnExceptions", { state: stateOf(this.#filters) });
  }
}

function exceptionText(event: Debugger.PausedEventDataType): { readonly text?: string } {
  const { description } = (event.data ?? {}) as { readonly description?: unknown };
  return isException(event) && typeof description === "string"
    ? { text: description.split("\n")[0] ?? "" }
    : {};
}

async function after(ms: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, ms));
}
