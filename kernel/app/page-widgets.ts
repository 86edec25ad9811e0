/** Keeps the kernel's own widgets for a page: their state, and which view of ours shows each. Code of the kernel runs in no page. */
import { isRecord } from "../is-record.ts";
import type { KernelClient } from "../notebook/execution/client.ts";
import type { Published } from "../notebook/execution/collect-outputs.ts";
import { viewModule, viewNames } from "../widgets/view-module.ts";
import type { PageEvent } from "./page-event.ts";

/** The views of our widgets; a widget of any other code is shown as its words. */
export const VIEWS: readonly string[] = viewNames();

interface PageWidget {
  readonly view: string;
  state: Readonly<Record<string, unknown>>;
}

/** So many messages of the page are remembered by their ids; older ones have been answered. */
const SENT_MAX = 200;

export class PageWidgets {
  readonly #tell: (event: PageEvent) => void;
  readonly #widgets = new Map<string, PageWidget>();
  readonly #sent = new Set<string>();

  constructor(tell: (event: PageEvent) => void) {
    this.#tell = tell;
  }

  all(): readonly unknown[] {
    return [...this.#widgets].map(([id, widget]) => ({ id, ...widget }));
  }

  /** Returns whether the message is one of comms for this page; `isOurs` says that it answers a request of the page. */
  take({ type, content }: Published, isOurs: boolean): boolean {
    const id = String(content.comm_id);
    const data = isRecord(content.data) ? content.data : {};
    switch (type) {
      case "comm_open":
        return isOurs && this.#open(id, data.state);
      case "comm_msg":
        return this.#message(id, data);
      case "comm_close":
        if (!this.#widgets.delete(id)) return false;
        this.#tell({ kind: "closed", data: id });
        return true;
      default:
        return false;
    }
  }

  say(client: Pick<KernelClient, "sendComm">, id: string, content: unknown): boolean {
    if (!this.#widgets.has(id)) return false;
    this.#sent.add(client.sendComm(id, { method: "custom", content }));
    const [oldest] = this.#sent;
    if (this.#sent.size > SENT_MAX && oldest !== undefined) this.#sent.delete(oldest);
    return true;
  }

  sent(request: string | undefined): boolean {
    return request !== undefined && this.#sent.has(request);
  }

  #open(id: string, given: unknown): boolean {
    if (!isRecord(given)) return true;
    const { _esm, ...rest } = given;
    const view = VIEWS.find((name) => viewModule(name) === _esm);
    if (view === undefined) return true;
    const state = Object.fromEntries(Object.entries(rest).filter(([name]) => !/^_/.test(name)));
    this.#widgets.set(id, { view, state });
    this.#tell({ kind: "widget", data: { id, view, state } });
    return true;
  }

  #message(id: string, { method, state, content }: Readonly<Record<string, unknown>>): boolean {
    const widget = this.#widgets.get(id);
    if (widget === undefined) return false;
    if (method === "update" && isRecord(state)) {
      widget.state = { ...widget.state, ...state };
      this.#tell({ kind: "message", data: { id, state } });
    } else if (method === "custom") this.#tell({ kind: "message", data: { id, content } });
    return true;
  }
}
