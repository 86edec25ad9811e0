/** Runs that a script answers, in a session of their own in memory, and what is shown of them. */
import { onTestFinished } from "vitest";
import type { Bundle, CellOutput } from "../../../kernel/cell-output.ts";
import { followRun, layoutGraph } from "../../../kernel/display/index.ts";
import { closeSession, useSession } from "../../../kernel/session.ts";
import {
  type DrivenRun,
  type Graph,
  type Scope,
  Session,
  scripted,
} from "../../../runtime/index.ts";
import { temporaryFolder } from "../../support/child.ts";
import { withoutRunIds } from "../../support/without-run-ids.ts";

export const SEARCH = `graph Search(question: string) returns report, notes {
  state {
    tasks: string[] = []
    notes: { text: string, size: int }[] = [] via append
    report: string = ""
  }
  agent plan { model m; prompt \`Split \${question}\`; writes tasks }
  run look(task: string) = looked(task) writes notes
  agent write { model m; prompt \`Write \${notes.length}\`; writes report }
  start -> plan -> each task of tasks parallel 2 { look(task) } -> write -> end
}`;

/** The only graph of a text, laid out; `m` is its model. */
export async function graphOf(text: string, scope: Scope = {}): Promise<Graph> {
  const graph = compiled(text, scope);
  await layoutGraph(graph.ir);
  return graph;
}

/** The same, as the first graph of a process: Graphviz has not been loaded. */
export function compiled(text: string, scope: Scope = {}): Graph {
  const session = new Session({ store: "memory", env: { MADRIGAL_HOME: temporaryFolder() } });
  useSession(session);
  onTestFinished(closeSession);
  const [graph] = Object.values(session.compile(`model m = "scripted"\n${text}`, { scope }));
  if (graph === undefined) throw new Error("no graph");
  return graph;
}

export interface Followed {
  readonly run: DrivenRun;
  readonly outputs: readonly CellOutput[];
  /** Runs what waits for its time. */
  tick(): void;
}

/** Follows a run with a clock that the test moves. */
export function follow(run: DrivenRun): Followed {
  const outputs: CellOutput[] = [];
  let waiting: (() => void)[] = [];
  followRun(
    run,
    (output) => outputs.push(output),
    (task) => waiting.push(task),
  );
  const tick = () => {
    const due = waiting;
    waiting = [];
    for (const task of due) task();
  };
  return { run, outputs, tick };
}

/** Time that passes only when nothing else can happen: for drawings, and for the functions of a run. */
export class VirtualTime {
  now = 0;
  readonly #due: { readonly at: number; readonly task: () => void }[] = [];

  readonly schedule = (task: () => void, delayMs: number): void => {
    this.#due.push({ at: this.now + delayMs, task });
  };

  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => this.schedule(resolve, ms));
  }

  /** Lets time pass until nothing is due any more and `over` is true. */
  async run(over: () => boolean): Promise<void> {
    for (;;) {
      // What the last task set off goes as far as it can: a start, its commit and the next start take a few turns.
      for (let turn = 0; turn < 20; turn += 1) await new Promise((go) => setImmediate(go));
      if (this.#due.length === 0 && over()) return;
      this.#due.sort((a, b) => a.at - b.at);
      const next = this.#due.shift();
      if (next === undefined) continue;
      this.now = next.at;
      next.task();
    }
  }
}

export function searching(
  graph: Graph,
  {
    plan = ["a", "b"],
    write = "# Found\n\nAll of `it`.",
  }: { plan?: readonly string[]; write?: string } = {},
): DrivenRun {
  const models = { m: scripted({ plan: [plan], write: [write] }) };
  return graph.run({ question: "why" }, { models }) as unknown as DrivenRun;
}

export const looked = (task: string) => [{ text: `saw ${task}`, size: task.length }];

export function bundleIn(output: CellOutput | undefined): Bundle {
  if (output === undefined || !("bundle" in output)) throw new Error("nothing is shown");
  return output.bundle;
}

/** Without what differs from run to run, and the room that it takes in tables. */
export function normal(text: unknown): string {
  return withoutRunIds(String(text))
    .replace(/\b(?:\d+(?:\.\d+)? ms|\d+\.\d\d s)\b/g, "TIME")
    .replace(/ +(?=TIME|time)/g, " ");
}
