/** Makes runs of graphs a debugger target: answers from what came with the stop, or asks the main thread. */
import { CommandError } from "../../command-error.ts";
import type { DebugNews, StackFrameFacts } from "./graph-link.ts";
import type { MainAsks } from "./main-asks.ts";
import type { Evaluated, ProtocolFrame, Rendered, Variable, VariableScope } from "./protocol.ts";
import type { DebugTarget, TargetEvents } from "./target.ts";

export interface GraphsParts {
  readonly asks: MainAsks;
  readonly events: TargetEvents;
}

export class Graphs implements DebugTarget {
  readonly filters = [
    { filter: "error", label: "A node fails" },
    { filter: "limit", label: "A limit is reached" },
    { filter: "approval", label: "An approval is asked for" },
  ];
  readonly #asks: MainAsks;
  readonly #events: TargetEvents;
  readonly #stopped = new Map<number, readonly ShownFrame[]>();
  #globals: readonly Variable[] = [];
  #isAttached = false;

  constructor({ asks, events }: GraphsParts) {
    this.#asks = asks;
    this.#events = events;
  }

  /** The notebook's variables, as they were behind its last cell. */
  get globals(): readonly Variable[] {
    return this.#globals;
  }

  /** Takes a message that the main thread sent without a request, or its answer to one. */
  receive(message: DebugNews): void {
    switch (message.kind) {
      case "answer":
        this.#asks.answered(message.number, message.value);
        break;
      case "fault":
        this.#asks.failed(message.number, message.message);
        break;
      case "stopped": {
        const { thread, reason, text, frames } = message;
        this.#stopped.set(
          thread,
          frames.map((frame) => this.#shown(frame)),
        );
        this.#events.stopped(thread, { reason, text });
        break;
      }
      case "continued":
        this.#stopped.delete(message.thread);
        this.#events.continued(message.thread);
        break;
      case "said":
        this.#events.printed(message.text);
        break;
      case "globals":
        this.#globals = message.variables;
        break;
    }
  }

  takes({ kind }: Parameters<DebugTarget["takes"]>[0]): boolean {
    return kind === "graph";
  }

  async attach(): Promise<void> {
    this.#isAttached = true;
    try {
      await this.#asks.ask({ kind: "attach" });
    } catch {
      // A cell blocks main: it will read that it is debugged before it begins the next one.
    }
  }

  detach(leaving: Parameters<DebugTarget["detach"]>[0]): void {
    this.#isAttached = false;
    this.#asks.say({ kind: "detach", leaving });
  }

  async setBreakpoints(
    ...[{ code }, lines]: Parameters<DebugTarget["setBreakpoints"]>
  ): Promise<readonly number[]> {
    // Loaded with the first of them: no kernel waits for a compiler that it may never need here.
    const { heldLines } = await import("./held-lines.ts");
    const held = heldLines(code, lines);
    if (this.#isAttached) this.#asks.say({ kind: "breakpoints", code, lines: held });
    return held;
  }

  setFilters(filters: readonly string[]): void {
    this.#asks.say({ kind: "filters", filters });
  }

  move(...[verb, thread]: Parameters<DebugTarget["move"]>): void {
    this.#asks.say({ kind: "move", verb, thread });
  }

  pause(): void {
    this.#asks.say({ kind: "pause" });
  }

  frames(thread: number): readonly ProtocolFrame[] {
    return (this.#stopped.get(thread) ?? []).map(({ frame }) => frame);
  }

  scopes(id: number): readonly VariableScope[] {
    const all = [...this.#stopped.values()].flat();
    const found = all.find(({ frame }) => frame.id === id);
    if (found !== undefined) return found.scopes;
    throw new CommandError("M7763", `the frame ${id} is gone: its run has gone on`, {
      hint: "choose a frame of the current call stack",
    });
  }

  async variables(
    ...[reference, paging]: Parameters<DebugTarget["variables"]>
  ): Promise<readonly Variable[]> {
    return (await this.#asks.ask({ kind: "variables", reference, paging })) as readonly Variable[];
  }

  async evaluate(...[expression, frame]: Parameters<DebugTarget["evaluate"]>): Promise<Evaluated> {
    return (await this.#asks.ask({ kind: "evaluate", expression, frame })) as Evaluated;
  }

  async render(...[name, frame]: Parameters<DebugTarget["render"]>): Promise<Rendered> {
    return (await this.#asks.ask({ kind: "render", name, frame })) as Rendered;
  }

  async copy(...[name, to]: Parameters<DebugTarget["copy"]>): Promise<void> {
    await this.#asks.ask({ kind: "copy", name, to });
  }

  #shown({ id, name, line, column, text, scopes }: StackFrameFacts): ShownFrame {
    const source = text === undefined ? {} : { source: this.#sourceOf(text) };
    return { frame: { id, name, line, column, ...source }, scopes };
  }

  #sourceOf(text: NonNullable<StackFrameFacts["text"]>): { readonly path: string } {
    if (text.kind === "cell") return { path: this.#events.knowCell(text.code) };
    this.#events.knowSource(text.path, text.text);
    return { path: text.path };
  }
}

interface ShownFrame {
  readonly frame: ProtocolFrame;
  readonly scopes: readonly VariableScope[];
}
