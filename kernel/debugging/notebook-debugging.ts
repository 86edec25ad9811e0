/** Loads the debugger when a front end attaches; until then it only notes the runs. */
import type { DrivenRun } from "../../runtime/index.ts";
import type { DebugAsk } from "../jupyter/debug/graph-link.ts";
import type { GraphDebugging, GraphDebuggingParts } from "./graph-debugging.ts";

export class NotebookDebugging {
  readonly #parts: () => GraphDebuggingParts;
  readonly #underWay = new Set<DrivenRun>();
  #loading: Promise<void> | undefined;
  #debugging: GraphDebugging | undefined;

  constructor(parts: () => GraphDebuggingParts) {
    this.#parts = parts;
  }

  /** Set while it is loaded: a cell must not begin before, or would run past its breakpoints. */
  get loading(): Promise<void> | undefined {
    return this.#loading;
  }

  started(run: DrivenRun): void {
    for (const other of this.#underWay) if (!other.isUnderWay) this.#underWay.delete(other);
    this.#underWay.add(run);
    this.#debugging?.started(run);
  }

  cellEnded(): void {
    this.#debugging?.cellEnded();
  }

  async take(ask: DebugAsk): Promise<unknown> {
    if (ask.kind === "attach" && this.#debugging === undefined) this.#loading ??= this.#load();
    if (this.#loading !== undefined) await this.#loading;
    return await this.#debugging?.take(ask, this.#underWay);
  }

  async #load(): Promise<void> {
    try {
      const { GraphDebugging } = await import("./graph-debugging.ts");
      this.#debugging = new GraphDebugging(this.#parts());
    } finally {
      this.#loading = undefined;
    }
  }
}
