/** Serves the page's debugger in the main thread: holds, shows and moves the runs that cells start. */
import { type DrivenRun, redaction, type Session } from "../../runtime/index.ts";
import { graphText } from "../cells/kinds/classify.ts";
import { CommandError } from "../command-error.ts";
import type { DebugAsk, DebugNews } from "../jupyter/debug/graph-link.ts";
import type { DisconnectKind, Evaluated, Variable } from "../jupyter/debug/protocol.ts";
import { isConsoleLine, obeyLine } from "./console/console-line.ts";
import { DebuggedRun, type HoldRules } from "./debugged-run.ts";
import { globalsIn } from "./globals.ts";
import { functionsIn } from "./into-functions.ts";
import { type FrameAt, lookedUp } from "./look-up.ts";
import { preview, typeOf } from "./preview.ts";
import { ValueReferences } from "./references.ts";
import { rendered, renderedGlobal } from "./render.ts";
import { ShownFrames } from "./shown-frames.ts";

export interface GraphDebuggingParts {
  readonly tell: (message: DebugNews) => void;
  readonly session: () => Session;
  /** The values that cells declared, by name. */
  readonly names: Record<string, unknown>;
  /** Tells the compiler of a name of the notebook and its type. */
  readonly declare: (declared: { readonly name: string; readonly type: string }) => Promise<void>;
}

/** Results of expressions are read, not only glanced at. */
const RESULT_CHARACTERS = 4000;

export class GraphDebugging {
  readonly #parts: GraphDebuggingParts;
  readonly #references = new ValueReferences();
  readonly #frames = new ShownFrames(this.#references);
  readonly #runs = new Map<DrivenRun, DebuggedRun>();
  readonly #lines = new Map<string, readonly number[]>();
  #filters: readonly string[] = [];
  #isAttached = false;
  /** Lines of the console that are being obeyed. */
  #commands = 0;
  /** None is called 1: JupyterLab says that where it has forgotten which one it means. */
  #threads = 1;

  constructor(parts: GraphDebuggingParts) {
    this.#parts = parts;
  }

  /** A run is set going, or goes on after a rest. */
  started(run: DrivenRun): void {
    if (!this.#isAttached) return;
    for (const other of this.#runs.keys()) if (!other.isUnderWay) this.#runs.delete(other);
    if (this.#runs.has(run)) return;
    this.#threads += 1;
    const { tell, names } = this.#parts;
    const functions = () => functionsIn(run.ir, names);
    const isQuiet = () => this.#commands > 0;
    const shown = { frames: this.#frames, tell, functions, isQuiet };
    const debugged = new DebuggedRun({ run, thread: this.#threads, ...shown });
    this.#runs.set(run, debugged);
    debugged.holdBy(this.#held);
  }

  /** A cell is over: what the notebook holds may have changed. */
  cellEnded(): void {
    if (this.#isAttached) this.#tellGlobals();
  }

  /** `underWay` are the runs that go on already when somebody attaches. */
  async take(ask: DebugAsk, underWay: Iterable<DrivenRun>): Promise<unknown> {
    switch (ask.kind) {
      case "attach":
        this.#isAttached = true;
        for (const run of underWay) if (run.isUnderWay) this.started(run);
        return this.#tellGlobals();
      case "detach":
        return await this.#detach(ask.leaving);
      case "breakpoints":
        this.#lines.set(graphText(ask.code), ask.lines);
        return this.#holdAll();
      case "filters":
        this.#filters = ask.filters;
        return this.#holdAll();
      case "pause":
        return await this.#pause();
      case "move":
        return [...this.#runs.values()].find(({ thread }) => thread === ask.thread)?.move(ask.verb);
      case "variables":
        return this.#references.variables(ask.reference, ask.paging);
      case "evaluate":
        return await this.#evaluate(ask.expression, ask.frame);
      case "render":
        return ask.frame === undefined
          ? await renderedGlobal(ask.name, this.#parts.names)
          : await rendered(ask.name, this.#at(ask.frame));
      case "copy": {
        const value = lookedUp(ask.name, this.#at(ask.to.frame));
        return await copyToNotebook({ name: ask.to.name, value }, this.#parts);
      }
    }
  }

  get #held(): HoldRules {
    return { linesOf: (text) => this.#lines.get(text) ?? [], filters: this.#filters };
  }

  #holdAll(): void {
    for (const run of this.#runs.values()) run.holdBy(this.#held);
  }

  async #detach(leaving: DisconnectKind): Promise<void> {
    const runs = [...this.#runs.values()];
    this.#isAttached = false;
    this.#runs.clear();
    this.#lines.clear();
    this.#filters = [];
    await Promise.all(runs.map((run) => run.leave(leaving)));
  }

  async #pause(): Promise<void> {
    const going = [...this.#runs.values()].filter(({ isStopped }) => !isStopped);
    await Promise.all(going.map(({ debug }) => debug.pause()));
  }

  async #evaluate(expression: string, frame: number | undefined): Promise<Evaluated> {
    if (isConsoleLine(expression)) return textResult(await this.#obey(expression, frame));
    const { run, index } = frame === undefined ? this.#latest() : this.#at(frame);
    const value = redaction.shownValue(run.debug.evaluate(expression, index), run.run);
    return {
      result: preview(value, RESULT_CHARACTERS),
      type: typeOf(value),
      variablesReference: this.#references.inside(run.thread, { value, expression }),
    };
  }

  async #obey(line: string, frame: number | undefined): Promise<string> {
    const run = frame === undefined ? this.#stopped().at(-1) : this.#at(frame).run;
    this.#commands += 1;
    try {
      return await obeyLine(line, {
        run,
        session: this.#parts.session(),
        runs: () => [...this.#runs.values()],
        debuggedOf: (other) => this.#runs.get(other),
      });
    } finally {
      this.#commands -= 1;
      for (const one of this.#runs.values()) one.announcePending();
    }
  }

  #stopped(): readonly DebuggedRun[] {
    return [...this.#runs.values()].filter(({ isStopped }) => isStopped);
  }

  /**
   * Returns the innermost frame of the newest stopped run, for a front end that names no frame.
   * Throws if no run is stopped.
   */
  #latest(): FrameAt {
    const run = this.#stopped().at(-1);
    if (run === undefined) throw nothingStopped();
    return { run, index: 0 };
  }

  #at(frame: number): FrameAt {
    const { thread, index } = this.#frames.at(frame);
    const run = [...this.#runs.values()].find((one) => one.thread === thread);
    if (run === undefined) throw nothingStopped();
    return { run, index };
  }

  #tellGlobals(): void {
    const variables: readonly Variable[] = globalsIn(this.#parts.names);
    this.#parts.tell({ kind: "globals", variables });
  }
}

function textResult(result: string): Evaluated {
  return { result, type: "text", variablesReference: 0 };
}

function nothingStopped(): CommandError {
  return new CommandError("M7762", "no run is stopped", {
    hint: "set a breakpoint in the margin of a graph cell and run the cell that starts the graph; `:help` lists the commands",
  });
}

async function copyToNotebook(
  { name, value }: { readonly name: string; readonly value: unknown },
  { names, declare }: Pick<GraphDebuggingParts, "names" | "declare">,
): Promise<void> {
  if (!/^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(name)) {
    throw new CommandError("M7767", `\`${name}\` can't be the name of a variable`, {
      hint: "a name has letters, digits, `_` and `$`, and does not begin with a digit",
    });
  }
  // A copy, so that cells can't change the run.
  names[name] = structuredClone(value);
  await declare({ name, type: typeText(value) });
}

function typeText(value: unknown): string {
  const type = typeof value;
  return ["string", "number", "boolean"].includes(type) ? type : "any";
}
