/** Connects to the main thread's inspector while TypeScript is debugged. */
import type { Debugger, Runtime } from "node:inspector";
import { ScriptBreakpoints } from "./breakpoints.ts";
import { type InspectorEvents, isTerminated, MainInspector } from "./main-inspector.ts";
import { CELLS, type ScriptEvents, Scripts } from "./scripts.ts";
import { STEPPED_OVER } from "./user-code.ts";
import { StopValues } from "./values.ts";

/** The number of awaits that a stack trace goes back. */
const ASYNC_DEPTH = 8;

export interface ConnectionOptions extends Pick<InspectorEvents, "paused" | "resumed"> {
  readonly events: ScriptEvents;
  /** The lines of each text that are to stop. */
  readonly lines: ReadonlyMap<string, readonly number[]>;
}

/** Open from its making until `close`. */
export class InspectorConnection {
  readonly inspector: MainInspector;
  readonly scripts: Scripts;
  readonly breakpoints: ScriptBreakpoints;
  readonly values: StopValues;
  /** A main thread that stands still before this is told by another debugger to: that one lets it go. */
  #isEnabled = false;
  /** The breakpoint that each cell comes to before it begins; undefined until it is set. */
  #beforeCells: string | undefined;
  /** The one that a run of a graph comes to before it makes a step into functions. */
  #beforeFunctions: string | undefined;
  /** The ids of the breakpoints in these functions. */
  #inFunctions: readonly string[] = [];

  constructor({ paused, resumed, events, lines }: ConnectionOptions) {
    this.inspector = new MainInspector({
      paused: (event) => {
        if (this.#isEnabled) paused(event);
      },
      resumed,
      parsed: (script) => this.scripts.note(script),
    });
    this.scripts = new Scripts(this.inspector, events);
    this.breakpoints = new ScriptBreakpoints(
      { inspector: this.inspector, scripts: this.scripts },
      lines,
    );
    this.values = new StopValues(this.inspector);
  }

  /** Resolves when cells stop where they are to: behind native code that the main thread is in, if it is. */
  async begin(): Promise<void> {
    const { inspector } = this;
    // All at once: they are answered in their order, also by a main thread that is busy.
    await Promise.all([
      inspector.askPatiently("Debugger.enable").then(() => {
        this.#isEnabled = true;
      }),
      inspector.askPatiently("Debugger.setBlackboxPatterns", {
        patterns: STEPPED_OVER,
        skipAnonymous: true,
      }),
      inspector.askPatiently("Debugger.setAsyncCallStackDepth", { maxDepth: ASYNC_DEPTH }),
      this.#stopIn("beforeCell").then((id) => {
        this.#beforeCells = id;
      }),
      this.#stopIn("beforeFunctions").then((id) => {
        this.#beforeFunctions = id;
      }),
    ]);
  }

  /**
   * Handles a pause at one of our own breakpoints, where it sets those of the user; returns whether
   * it was one.
   */
  async takeOwn(event: Debugger.PausedEventDataType): Promise<boolean> {
    const { hitBreakpoints = [] } = event;
    const isBefore = (id: string | undefined) => id !== undefined && hitBreakpoints.includes(id);
    if (isBefore(this.#beforeCells)) {
      const { value } = await this.#argument(event, true);
      await this.breakpoints.placeInCell(String(value));
      return true;
    }
    if (!isBefore(this.#beforeFunctions)) return false;
    const { objectId } = await this.#argument(event, false);
    await this.leaveFunctions();
    this.#inFunctions = await this.#stopInAll(objectId);
    return true;
  }

  /**
   * Returns whether the pause is at the beginning of a function that a step of a graph led into.
   */
  isInFunction({ hitBreakpoints = [] }: Debugger.PausedEventDataType): boolean {
    return hitBreakpoints.some((id) => this.#inFunctions.includes(id));
  }

  /** Removes the breakpoints in functions. */
  async leaveFunctions(): Promise<void> {
    const set = this.#inFunctions;
    this.#inFunctions = [];
    await Promise.all(
      set.map((breakpointId) => this.inspector.ask("Debugger.removeBreakpoint", { breakpointId })),
    );
  }

  close(): void {
    this.inspector.close();
  }

  async #stopIn(name: string): Promise<string | undefined> {
    const { result } = await this.#evaluatePatiently(`${CELLS}?.${name}`);
    return result.objectId === undefined ? undefined : await this.#stopInFunction(result.objectId);
  }

  /** The value of an expression without side effects. An interrupt that ends it was meant for the cell under way: it is asked again. */
  async #evaluatePatiently(expression: string): Promise<Runtime.EvaluateReturnType> {
    const asked = { expression, disableBreaks: true };
    for (;;) {
      try {
        return await this.inspector.askPatiently("Runtime.evaluate", asked);
      } catch (thrown) {
        if (!isTerminated(thrown)) throw thrown;
      }
    }
  }

  /** Stops where this function of the main thread is called; the id of the breakpoint. */
  async #stopInFunction(objectId: string): Promise<string> {
    const { breakpointId } = await this.inspector.askPatiently<
      Pick<Debugger.SetBreakpointReturnType, "breakpointId">
    >("Debugger.setBreakpointOnFunctionCall", { objectId });
    return breakpointId;
  }

  /** Sets a breakpoint in each of the user's functions in a list; returns their ids. */
  async #stopInAll(list: string | undefined): Promise<readonly string[]> {
    if (list === undefined) return [];
    const { result } = await propertiesOf(list, this.inspector);
    const set: string[] = [];
    for (const { value } of result) {
      if (value?.type !== "function" || value.objectId === undefined) continue;
      const { internalProperties = [] } = await propertiesOf(value.objectId, this.inspector);
      const place = internalProperties.find(({ name }) => name === "[[FunctionLocation]]");
      const { scriptId } = (place?.value?.value ?? {}) as { readonly scriptId?: unknown };
      if (!this.scripts.isUsers(String(scriptId))) continue;
      set.push(await this.#stopInFunction(value.objectId));
    }
    return set;
  }

  /** Returns the first argument of the function at the top of the stack. */
  async #argument(
    { callFrames: [frame] }: Debugger.PausedEventDataType,
    returnByValue: boolean,
  ): Promise<Runtime.RemoteObject> {
    const { result } = await this.inspector.ask<Debugger.EvaluateOnCallFrameReturnType>(
      "Debugger.evaluateOnCallFrame",
      { callFrameId: frame?.callFrameId, expression: "arguments[0]", returnByValue },
    );
    return result;
  }
}

async function propertiesOf(
  objectId: string,
  inspector: MainInspector,
): Promise<Runtime.GetPropertiesReturnType> {
  return await inspector.ask("Runtime.getProperties", { objectId, ownProperties: true });
}
