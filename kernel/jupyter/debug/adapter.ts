/** Implements the Debug Adapter Protocol: answers every request, whatever the main thread does. */

import { CommandError } from "../../command-error.ts";
import { isRecord } from "../../is-record.ts";
import type { Dict } from "../wire/message.ts";
import {
  filtersIn,
  linesIn,
  numberIn,
  optionalNumberIn,
  pagingIn,
  pathIn,
  textIn,
} from "./arguments.ts";
import { CellBreakpoints } from "./breakpoints.ts";
import { CELL_PREFIX, CELL_SUFFIX, HASH_SEED } from "./cell-paths.ts";
import { Disconnect } from "./disconnect.ts";
import { faultText } from "./fault-text.ts";
import { FrameNumbers } from "./frame-numbers.ts";
import { forPanel } from "./panel-types.ts";
import type { DisconnectKind, MoveVerb, Variable } from "./protocol.ts";
import { outsideOf, rangedTarget, rangeOf } from "./ranged-target.ts";
import { StoppedThreads } from "./stopped-threads.ts";
import type { CreateTarget, DebugTarget, TargetEvents } from "./target.ts";
import { DebuggedTexts } from "./texts.ts";

export interface AdapterParts {
  /** In the order of their ranges of numbers. */
  readonly targets: readonly CreateTarget[];
  /** Tells all front ends, without a parent: one with a cell's would make JupyterLab ask for all variables each time. */
  readonly publish: (event: Dict) => void;
  /**
   * Returns the notebook's global variables while nothing is stopped; cached, since front ends
   * request them at each output of a cell.
   */
  readonly globals: () => readonly Variable[];
}

type DebugHandler = (given: Dict) => Dict | Promise<Dict>;

export class DebugAdapter {
  readonly #parts: AdapterParts;
  readonly #texts = new DebuggedTexts();
  readonly #frames = new FrameNumbers();
  readonly #stopped: StoppedThreads;
  readonly #targets: readonly DebugTarget[];
  readonly #breakpoints: CellBreakpoints;
  readonly #leave = new Disconnect(() => void this.#detach("go on").catch(() => {})); // A target that is gone has nothing stopped.
  readonly #handlers: Readonly<Record<string, DebugHandler>>;
  #isStarted = false;
  #seq = 0;

  constructor(parts: AdapterParts) {
    this.#parts = parts;
    this.#stopped = new StoppedThreads((event, body) => this.#event(event, body));
    this.#targets = parts.targets.map((create, index) =>
      rangedTarget(create(this.#eventsOf(index)), index),
    );
    this.#breakpoints = new CellBreakpoints(this.#targets);
    this.#handlers = this.#newHandlers();
  }

  /** The content of a `debug_reply`: a response of the protocol, also to what makes no sense. */
  async answer(request: Dict): Promise<Dict> {
    const { seq = 0, command, arguments: given } = request;
    const head = { type: "response", request_seq: seq, command };
    try {
      const handler = this.#handlerOf(command);
      const body = await handler(isRecord(given) ? given : {});
      return { ...head, seq: this.#nextSeq(), success: true, body };
    } catch (thrown) {
      return {
        ...head,
        seq: this.#nextSeq(),
        success: false,
        message: faultText(thrown),
        body: {},
      };
    }
  }

  #handlerOf(command: unknown): DebugHandler {
    if (typeof command !== "string") {
      throw new CommandError("M7764", "a request of the debugger names no `command`", {
        hint: "this is an error in the front end; please report it there",
      });
    }
    const handler = Object.hasOwn(this.#handlers, command) ? this.#handlers[command] : undefined;
    if (handler !== undefined) return handler;
    throw new CommandError("M7765", `the debugger does not know the request \`${command}\``, {
      hint: "`:help` in the Debug Console lists the commands that have no button",
    });
  }

  #newHandlers(): Readonly<Record<string, DebugHandler>> {
    return {
      debugInfo: () => this.#info(),
      initialize: () => this.#initialize(),
      attach: () => this.#attach(),
      configurationDone: () => ({}),
      setExceptionBreakpoints: async (given) => {
        const filters = filtersIn(given);
        await this.#all((target) => target.setFilters(filters));
        return {};
      },
      inspectVariables: () => ({
        variables: this.#isStarted ? this.#parts.globals().map(forPanel) : [],
      }),
      modules: () => ({ modules: [], totalModules: 0 }),
      dumpCell: (given) => ({ sourcePath: this.#texts.dump(textIn(given, "code")).path }),
      setBreakpoints: (given) => this.#setBreakpoints(given),
      threads: () => ({
        threads: this.#stopped.threads.map((id) => ({ id, name: `thread ${id}` })),
      }),
      stackTrace: (given) => this.#stackTrace(given),
      scopes: async (given) => {
        const frame = this.#frames.given(numberIn(given, "frameId"));
        return { scopes: await this.#targetOf(frame).scopes(frame) };
      },
      variables: async (given) => {
        const reference = numberIn(given, "variablesReference");
        const target = this.#targetOf(reference);
        const variables = await target.variables(reference, pagingIn(given));
        return { variables: variables.map(forPanel) };
      },
      source: (given) => ({ ...this.#texts.source(pathIn(given)) }),
      evaluate: (given) => this.#evaluate(given),
      richInspectVariables: async (given) => {
        const frame = this.#frameIn(given);
        const name = textIn(given, "variableName");
        return { ...(await this.#targetOf(frame).render(name, frame)) };
      },
      copyToGlobals: async (given) => {
        const frame = this.#frames.given(numberIn(given, "srcFrameId"));
        const to = { name: textIn(given, "dstVariableName"), frame };
        await this.#targetOf(frame).copy(textIn(given, "srcVariableName"), to);
        return {};
      },
      next: (given) => this.#move("next", given),
      stepIn: (given) => this.#move("stepIn", given),
      stepOut: (given) => this.#move("stepOut", given),
      continue: (given) => this.#move("continue", given),
      pause: async () => {
        this.#assertStarted();
        await this.#all((target) => target.pause());
        return {};
      },
      disconnect: (given) => this.#disconnect(given),
    };
  }

  #info(): Dict {
    return {
      isStarted: this.#isStarted,
      hashMethod: "Murmur2",
      hashSeed: HASH_SEED,
      tmpFilePrefix: CELL_PREFIX,
      tmpFileSuffix: CELL_SUFFIX,
      breakpoints: this.#breakpoints.list(),
      // With several stopped threads, JupyterLab would continue another one than it shows.
      stoppedThreads: this.#stopped.threads.slice(0, 1),
      richRendering: true,
      exceptionPaths: [],
      copyToGlobals: true,
    };
  }

  async #initialize(): Promise<Dict> {
    // This is the button "Terminate": who only turns the debugger off does not come back at once.
    if (this.#leave.cancel()) await this.#detach("abort");
    this.#isStarted = true;
    setImmediate(() => this.#event("initialized", {}));
    return {
      supportsConfigurationDoneRequest: true,
      supportsModulesRequest: true,
      supportsStepBack: false,
      supportsEvaluateForHovers: true,
      exceptionBreakpointFilters: this.#targets.flatMap(({ filters }) => filters),
    };
  }

  async #attach(): Promise<Dict> {
    this.#assertStarted();
    await this.#all((target) => target.attach());
    await this.#breakpoints.tellAgain();
    return {};
  }

  async #setBreakpoints(given: Dict): Promise<Dict> {
    const path = pathIn(given);
    const lines = await this.#breakpoints.set(this.#texts.cell(path), linesIn(given));
    return { breakpoints: lines.map((line) => ({ verified: true, line, source: { path } })) };
  }

  async #stackTrace(given: Dict): Promise<Dict> {
    const thread = this.#stopped.meant(given.threadId);
    if (thread === undefined) return { stackFrames: [], totalFrames: 0 };
    const stackFrames = this.#frames.shown(await this.#targetOf(thread).frames(thread));
    return { stackFrames, totalFrames: stackFrames.length };
  }

  async #evaluate(given: Dict): Promise<Dict> {
    this.#assertStarted();
    const frame = this.#frameIn(given);
    const target = this.#targetOf(frame);
    const expression = textIn(given, "expression");
    try {
      const evaluated = await target.evaluate(expression, frame);
      this.#frames.evaluated(frameIn(given));
      return { ...evaluated };
    } catch (thrown) {
      // JupyterLab shows nothing of a reply that failed: what is wrong with a line of the console is its answer.
      if (given.context !== "repl") throw thrown;
      return { result: faultText(thrown), type: "error", variablesReference: 0 };
    }
  }

  #frameIn(given: Dict): number | undefined {
    const shown = frameIn(given);
    return shown === undefined ? undefined : this.#frames.given(shown);
  }

  async #move(verb: MoveVerb, given: Dict): Promise<Dict> {
    const thread = this.#stopped.meant(given.threadId);
    if (thread === undefined) {
      throw new CommandError("M7762", "nothing is stopped", {
        hint: "a breakpoint in the margin of a cell stops what runs there; the button ▮▮ stops what goes on",
      });
    }
    await this.#targetOf(thread).move(verb, thread);
    return verb === "continue" ? { allThreadsContinued: false } : {};
  }

  async #disconnect({ restart, terminateDebuggee }: Dict): Promise<Dict> {
    if (!this.#isStarted) return {};
    this.#isStarted = false;
    this.#breakpoints.clear();
    if (terminateDebuggee === true) await this.#detach("abort");
    else if (this.#stopped.threads.length === 0) await this.#detach("go on");
    // A kernel that is restarted pauses what is stopped: it is resumable.
    else if (restart !== true) this.#leave.begin();
    return {};
  }

  async #detach(leaving: DisconnectKind): Promise<void> {
    await this.#all((target) => target.detach(leaving));
  }

  /** A target that fails keeps no other from what is said to all. */
  async #all(say: (target: DebugTarget) => void | Promise<void>): Promise<void> {
    const settled = await Promise.allSettled(
      this.#targets.map(async (target) => await say(target)),
    );
    const failed = settled.find((one) => one.status === "rejected");
    if (failed !== undefined) throw failed.reason;
  }

  /** The target that gave out a number; without one, that of the thread that has stopped last. M7763 for a number of nobody. */
  #targetOf(outside: number | undefined): DebugTarget {
    const target = this.#targets[rangeOf(outside ?? this.#stopped.meant(undefined) ?? 0)];
    if (target !== undefined) return target;
    throw new CommandError("M7763", `the debugger has given out no number ${outside}`, {
      hint: "this is an error in the front end; please report it there",
    });
  }

  #assertStarted(): void {
    if (this.#isStarted) return;
    throw new CommandError("M7760", "the debugger is not started", {
      hint: "the button with the bug in the notebook's toolbar starts it",
    });
  }

  #eventsOf(index: number): TargetEvents {
    return {
      stopped: (thread, why) => this.#stopped.stopped({ thread: outsideOf(thread, index), ...why }),
      continued: (thread) => this.#stopped.continued(outsideOf(thread, index)),
      printed: (output) => this.#event("output", { category: "console", output }),
      knowCell: (code) => this.#texts.dump(code).path,
      knowSource: (path, text) => this.#texts.know(path, text),
    };
  }

  #event(event: string, body: Dict): void {
    this.#parts.publish({ type: "event", seq: this.#nextSeq(), event, body });
  }

  #nextSeq(): number {
    this.#seq += 1;
    return this.#seq;
  }
}

/** Front ends say 0 where they know none. */
function frameIn(given: Dict): number | undefined {
  const frame = optionalNumberIn(given, "frameId");
  return frame === 0 ? undefined : frame;
}
