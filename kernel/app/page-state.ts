/** Keeps what one page of an app shows of a kernel: outputs as clean HTML, widgets, a question; and tells its listeners changes. */
import type { KernelClient, QuestionLook } from "../notebook/execution/client.ts";
import { OutputCollector, type Published } from "../notebook/execution/collect-outputs.ts";
import type { Output } from "../notebook/notebook.ts";
import { outputHtml } from "../notebook/page/page-output.ts";
import type { PageEvent, PageListener } from "./page-event.ts";
import { PageWidgets } from "./page-widgets.ts";

/** The state of the cells of a page. */
export interface CellsStatus {
  readonly kind: "starting" | "running" | "ready" | "failed" | "ended";
  readonly text: string;
}

export interface PagePrompt {
  readonly prompt: string;
  readonly isPassword: boolean;
}

/** Outputs that follow each other fast are shown together. */
const TOGETHER_MS = 15;

export class PageState {
  readonly widgets: PageWidgets;
  readonly #outputs = new OutputCollector();
  readonly #cells = new Map<string, string>();
  readonly #shown = new Map<string, string>();
  readonly #html = new WeakMap<Output, string>();
  readonly #listeners = new Set<PageListener>();
  #due: NodeJS.Timeout | undefined;
  #status: CellsStatus = { kind: "starting", text: "starting" };
  #question: (PagePrompt & { readonly answer: (value: string) => void }) | undefined;

  readonly #showsCode: boolean;

  /** Without `showsCode`, errors are shown without the lines of the cells that they come from. */
  constructor({ showsCode }: { readonly showsCode: boolean }) {
    this.#showsCode = showsCode;
    this.widgets = new PageWidgets((event) => this.#tell(event));
  }

  get listeners(): number {
    return this.#listeners.size;
  }

  get status(): CellsStatus {
    return this.#status;
  }

  set status(status: CellsStatus) {
    this.#render();
    this.#status = status;
    this.#tell({ kind: "status", data: status });
  }

  /** Tells `listener` all that is shown, and each change from then on; what it returns ends that. */
  listen(listener: PageListener): () => void {
    this.#render();
    listener({
      kind: "all",
      data: {
        outputs: Object.fromEntries([...this.#shown].map(([id, html]) => [id, JSON.parse(html)])),
        widgets: this.widgets.all(),
        question: this.#asked(),
        status: this.#status,
      },
    });
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Shows in a cell of the page all that this request publishes. */
  addRequest(request: string, cell: string): void {
    this.#cells.set(request, cell);
  }

  /** Returns whether what was published is of this page. An update is shown wherever its display is. */
  take(request: string | undefined, published: Published): boolean {
    const cell = request === undefined ? undefined : this.#cells.get(request);
    const isUpdate = published.type === "update_display_data";
    const isWidget = this.widgets.take(published, cell !== undefined || this.widgets.sent(request));
    if (cell === undefined && !isUpdate) return isWidget;
    if (!isWidget) this.#outputs.take(cell ?? "", published);
    this.#due ??= setTimeout(() => this.#render(), TOGETHER_MS);
    return true;
  }

  outputs(cell: string): readonly Output[] {
    return this.#outputs.outputs(cell);
  }

  /** Asks the person at the page; one question is asked at a time. */
  async ask(prompt: string, { isPassword }: QuestionLook): Promise<string> {
    const { promise, resolve } = Promise.withResolvers<string>();
    this.#question = { prompt, isPassword, answer: resolve };
    this.#tell({ kind: "question", data: this.#asked() });
    return await promise;
  }

  answer(value: string): void {
    this.#question?.answer(value);
    this.#question = undefined;
    this.#tell({ kind: "question", data: null });
  }

  /** Sends what a view of the page says to its widget in the kernel; false for a widget of no page of this one. */
  say(client: Pick<KernelClient, "sendComm">, widget: string, content: unknown): boolean {
    return this.widgets.say(client, widget, content);
  }

  #asked(): PagePrompt | null {
    if (this.#question === undefined) return null;
    const { prompt, isPassword } = this.#question;
    return { prompt, isPassword };
  }

  #render(): void {
    clearTimeout(this.#due);
    this.#due = undefined;
    for (const cell of new Set(this.#cells.values())) {
      const html = JSON.stringify(
        this.#outputs.outputs(cell).map((one, at) => this.#htmlOf(one, `${cell}o${at}-`)),
      );
      if (html === (this.#shown.get(cell) ?? "[]")) continue;
      this.#shown.set(cell, html);
      this.#tell({ kind: "outputs", data: { cell, html: JSON.parse(html) } });
    }
  }

  #htmlOf(output: Output, prefix: string): string {
    const known = this.#html.get(output);
    const isError = output.output_type === "error" && !this.#showsCode;
    const html = known ?? outputHtml(isError ? { ...output, traceback: [] } : output, prefix);
    if (known === undefined) this.#html.set(output, html);
    return html;
  }

  #tell(event: PageEvent): void {
    for (const listener of this.#listeners) listener(event);
  }
}
