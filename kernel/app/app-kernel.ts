/** Runs an app's notebook in a kernel of its own for one visitor, and opens the debugger's views of its runs. */
import { randomUUID } from "node:crypto";
import { shortRunId } from "../../runtime/index.ts";
import { KernelAsks } from "../agent-access/kernel-asks.ts";
import { ownKernelspec } from "../lab/kernelspec.ts";
import { messageOf } from "../message-of.ts";
import { KernelClient } from "../notebook/execution/client.ts";
import { type CodeCell, isRunnable, type NotebookFile, tagsOf } from "../notebook/notebook.ts";
import { cellKey, DEBUG_CELL } from "./app-page.ts";
import { PageState } from "./page-state.ts";

export interface AppKernelParts {
  readonly notebook: NotebookFile;
  /** The notebook's folder. */
  readonly cwd: string;
  /** The folder of the runs of this kernel. */
  readonly home: string;
  readonly showsCode: boolean;
}

export class AppKernel {
  readonly page: PageState;
  readonly #parts: AppKernelParts;
  readonly #panels = new Map<string, PageState>();
  readonly #asks = new KernelAsks();
  readonly #kill = new AbortController();
  #client: KernelClient | undefined;
  #subshell: Promise<string> | undefined;

  constructor(parts: AppKernelParts) {
    this.#parts = parts;
    this.page = new PageState(parts);
  }

  /** Runs the cells up to the first that fails. Never rejects: how it ended is the status of the page. */
  async run(): Promise<void> {
    try {
      await this.#runCells(await this.#start());
    } catch (thrown) {
      this.page.status = { kind: "ended", text: messageOf(thrown) };
    }
  }

  /** Passes what a view of the page says on to its widget; false where the page has no such widget. */
  say(page: PageState, widget: string, content: unknown): boolean {
    return this.#client !== undefined && page.say(this.#client, widget, content);
  }

  /** The runs of this kernel, the newest first. */
  async runs(): Promise<readonly unknown[]> {
    if (this.#client === undefined) return [];
    const listed = await this.#asks.ask(this.#client, { ask: "runs" }, RUNS_MS).catch(() => []);
    if (!Array.isArray(listed)) return [];
    return listed.map((one) => ({ ...one, short: shortRunId(String(one.run_id)) }));
  }

  /** Obeys a command of the debugger about a run. */
  async debug(run: string, command: string): Promise<string> {
    if (this.#client === undefined) throw new Error("the kernel has not started");
    return String(await this.#asks.ask(this.#client, { ask: "debug", run, command }));
  }

  /** A page with the timeline of a run, whose buttons move it; beside what the visitor's cells do. */
  async panelOf(run: string): Promise<PageState> {
    const known = this.#panels.get(run);
    if (known !== undefined) return known;
    const client = this.#client;
    if (client === undefined) throw new Error("the kernel has not started");
    this.#subshell ??= client.createSubshell();
    const subshell = await this.#subshell;
    const panel = new PageState({ showsCode: true });
    this.#panels.set(run, panel);
    const code = `(await import("madrigal")).runs.open(${JSON.stringify(run)}).timeline()`;
    const look = { code, cellId: `app-${randomUUID()}`, stopOnError: false, storeHistory: false };
    const { id, reply } = client.execute({ ...look, subshell });
    panel.addRequest(id, DEBUG_CELL);
    reply.then(
      () => (panel.status = { kind: "ready", text: "" }),
      (thrown: unknown) => (panel.status = { kind: "ended", text: messageOf(thrown) }),
    );
    return panel;
  }

  /** Ends the kernel in order; its runs under way are paused. */
  async end(text: string): Promise<void> {
    const isStarting = this.#client === undefined;
    if (isStarting) this.#kill.abort();
    await this.#client?.close();
    for (const page of [this.page, ...this.#panels.values()]) page.status = { kind: "ended", text };
  }

  async #start(): Promise<KernelClient> {
    const { cwd, home } = this.#parts;
    const client = await KernelClient.start({
      spec: ownKernelspec(),
      cwd,
      environment: { ...process.env, MADRIGAL_HOME: home },
      kill: this.#kill.signal,
      // A form on the page asks what a run asks.
      onQuestion: (prompt, look) =>
        look.hasForm ? new Promise(() => {}) : this.page.ask(prompt, look),
      onPublished: (request, published) => {
        this.#asks.hear(published);
        for (const page of [this.page, ...this.#panels.values()]) page.take(request, published);
      },
    });
    this.#client = client;
    // As the manager of widgets in a page does.
    client.openComm({ id: randomUUID(), target: "jupyter.widget.control", data: {} });
    return client;
  }

  async #runCells(client: KernelClient): Promise<void> {
    const numbered = this.#parts.notebook.cells.map((cell, at) => ({ cell, key: cellKey(at) }));
    const cells = numbered.filter(({ cell }) => isRunnable(cell) && isWanted(cell));
    const reactive = { cellId: "app-reactive", stopOnError: true, storeHistory: false };
    await client.execute({ ...reactive, code: "%config reactive on" }).reply;
    for (const [at, { cell, key }] of cells.entries()) {
      const place = `cell ${at + 1} of ${cells.length}`;
      this.page.status = { kind: "running", text: place };
      const mayFail = tagsOf(cell).includes("raises-exception");
      const asked = { code: cell.source, cellId: cell.id, stopOnError: !mayFail };
      const { id, reply } = client.execute(asked);
      this.page.addRequest(id, key);
      if ((await reply).status === "ok" || mayFail) continue;
      this.page.status = { kind: "failed", text: `${place} has failed` };
      return;
    }
    this.page.status = { kind: "ready", text: "" };
  }
}

const RUNS_MS = 3_000;

function isWanted(cell: Pick<CodeCell, "metadata"> & NotebookFile["cells"][number]): boolean {
  return !tagsOf(cell).includes("skip-execution");
}
