/** Draws a run of a server in a cell, as a run of this process is drawn, and keeps up with it. */
import type { Ir } from "../../dsl/index.ts";
import { messageOf, type RunEvent, type Usage } from "../../runtime/index.ts";
import type { Bundle } from "../cell-output.ts";
import { bundleOf, PLAIN } from "../display/bundle.ts";
import { layoutGraph } from "../display/graph/layout.ts";
import type { GraphLayout } from "../display/graph/placed.ts";
import { LiveValue } from "../display/live-value.ts";
import { pictureBundle } from "../display/run/run-bundle.ts";
import type { ShownRun } from "../display/run/run-lines.ts";
import { count, newTally } from "../display/run/tally.ts";
import { isPlanAt, PlansOfRun } from "../display/values/plans-of-run.ts";
import { isRecord } from "../is-record.ts";

/** Four times a second is as much as a server is asked for a drawing. */
const PACE_MS = 250;

/** A run as the drawing needs it; what it tells is as the server last told it. */
export interface DrawnRun
  extends Pick<ShownRun, "id" | "graph" | "status" | "reason" | "interrupts" | "events$"> {
  readonly state: Readonly<Record<string, unknown>>;
  readonly document: Readonly<Record<string, unknown>>;
  refresh(): Promise<unknown>;
  program(calls?: readonly string[]): Promise<unknown>;
}

export class RemoteDrawing extends LiveValue {
  readonly #run: DrawnRun;
  readonly #ir: Ir;
  readonly #layout: GraphLayout | undefined;
  readonly #tally = newTally();
  readonly #calls = { model: 0, tool: 0 };
  readonly #plans: PlansOfRun;
  /** The graphs of plans, by the labels that lead to them. */
  readonly #planIrs = new Map<string, Ir>();
  /** Resolves once the events so far are counted, and their plans laid out. */
  #taken: Promise<unknown> = Promise.resolve();
  readonly #layouts = new Set<Promise<void>>();
  #subscription: ReturnType<DrawnRun["events$"]["subscribe"]> | undefined;
  #due: NodeJS.Timeout | undefined;
  #fault: unknown;

  private constructor(run: DrawnRun, ir: Ir, layout: GraphLayout | undefined) {
    super();
    this.#run = run;
    this.#ir = ir;
    this.#layout = layout;
    this.#plans = new PlansOfRun({
      run: {
        ir,
        get state() {
          return run.state;
        },
      },
      calledIr: (path) => this.#planIrs.get(path.join("/")),
      layOut: (plan, take) => this.#layOut(plan, take),
    });
  }

  /** Follows the run from its first event until it is over. */
  static async of(run: DrawnRun): Promise<RemoteDrawing> {
    const ir = (await run.program()) as Ir;
    await run.refresh();
    const layout = await layoutGraph(ir).catch(() => undefined);
    const drawing = new RemoteDrawing(run, ir, layout);
    await drawing.#begin();
    return drawing;
  }

  toMimeBundle(): Bundle {
    if (this.#fault !== undefined && this.#tally.lastAt === undefined)
      return bundleOf({ [PLAIN]: messageOf(this.#fault) });
    const picture = { tally: this.#tally, layout: this.#layout, plans: this.#plans };
    return pictureBundle(this.#shown, picture);
  }

  /** Leaves the server; the picture stays as it is. */
  stop(): void {
    clearTimeout(this.#due);
    this.#subscription?.unsubscribe();
  }

  /** Resolves with the past of the run counted, as far as it came with the first events. */
  async #begin(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#subscription = this.#run.events$.subscribe({
      next: (event) => {
        this.#taken = this.#taken.then(() => this.#take(event));
        this.#drawSoon(resolve);
      },
      error: (thrown: unknown) => {
        this.#fault = thrown;
        this.#drawSoon(resolve);
      },
      complete: () => this.#drawSoon(resolve),
    });
    await promise;
  }

  /** Takes the next event; the graph of a plan is asked for before its first step is counted. */
  async #take(event: RunEvent): Promise<void> {
    if (event.kind === "model.response") this.#calls.model += 1;
    if (event.kind === "tool.result") this.#calls.tool += 1;
    const { path = [] } = event;
    if (event.kind === "graph.started" && isPlanAt(this.#ir, path)) {
      const ir = await this.#run.program(path).catch(() => undefined);
      // An older server does not know this question: then the plan is not drawn.
      if (ir !== undefined) this.#planIrs.set(path.join("/"), ir as Ir);
    }
    this.#plans.take(event);
    count(this.#tally, event);
  }

  #layOut(ir: Ir, take: (layout: GraphLayout) => void): void {
    const made = layoutGraph(ir)
      .then(take, () => {})
      .finally(() => this.#layouts.delete(made));
    this.#layouts.add(made);
  }

  #drawSoon(drawn: () => void): void {
    if (this.#due !== undefined) return;
    this.#due = setTimeout(() => {
      this.#due = undefined;
      void this.#draw().finally(drawn);
    }, PACE_MS).unref();
  }

  async #draw(): Promise<void> {
    await Promise.all([this.#taken, this.#run.refresh().catch(() => {})]);
    await Promise.all(this.#layouts);
    this.showAgain();
  }

  get #shown(): ShownRun {
    const run = this.#run;
    const { id, graph, status, reason, state, interrupts } = run;
    return {
      ...{ id, graph, status, reason, state, interrupts },
      ir: this.#ir,
      usage: this.#usage,
      failure: undefined,
      events$: run.events$,
      output: Promise.resolve({}),
      ...this.#failure,
    };
  }

  get #failure(): Partial<Pick<ShownRun, "failure">> {
    const { error } = this.#run.document;
    if (!isRecord(error)) return {};
    const { code, message } = error;
    return { failure: { class: "tool", code, message } as ShownRun["failure"] };
  }

  get #usage(): Usage {
    const { tokens, cost_usd: costUsd } = this.#run.document;
    const { input = 0, output = 0 } = isRecord(tokens) ? tokens : {};
    return {
      inputTokens: Number(input),
      outputTokens: Number(output),
      ...{ cachedTokens: 0, reasoningTokens: 0 },
      costUsd: typeof costUsd === "number" ? costUsd : null,
      modelCalls: this.#calls.model,
      toolCalls: this.#calls.tool,
    };
  }
}
