/** A page with widgets, as the kernel hears it by comms. */
import type { Browser, Page } from "playwright-core";
import { expect } from "vitest";
import type { TestNotebook } from "./notebook.ts";

/** What a page with ipywidgets says to the kernel by comms. */
export function page(notebook: TestNotebook) {
  let count = 0;
  const packet = { metadata: {}, buffers: [] };
  const say = async (commId: string, data: unknown) => {
    count += 1;
    await notebook.comms.receive(`p${count}`, { kind: "message", commId, data, ...packet });
  };
  return {
    say,
    open: async () =>
      await notebook.comms.receive("p0", {
        kind: "open",
        commId: "control",
        targetName: "jupyter.widget.control",
        data: {},
        ...packet,
      }),
    /** The state of the first or last widget of ours, as the page has it now. */
    widget(which: "first" | "last" = "first") {
      const packets = notebook.sent.map((one) => one.packet);
      const opened = packets.filter(
        (one) => one.kind === "open" && stateOf(one.data)._model_name === "AnyModel",
      );
      const id = opened.at(which === "first" ? 0 : -1)?.commId ?? "";
      const updates = packets.filter((one) => one.kind !== "close" && one.commId === id);
      const state = Object.assign({}, ...updates.map(({ data }) => stateOf(data)));
      return { id, count: opened.length, state: state as Readonly<Record<string, unknown>> };
    },
  };
}

function stateOf(data: unknown): Readonly<Record<string, unknown>> {
  return (data as { readonly state?: Readonly<Record<string, unknown>> }).state ?? {};
}

/** The model of a widget as anywidget has it: what the view sends goes to the kernel, which answers by comms. */
const MODEL = `
  const listeners = { change: [], "msg:custom": [] };
  window.state = STATE;
  const model = {
    get: (name) => window.state[name],
    on: (name, listener) => listeners[name]?.push(listener),
    off: (name, listener) => { listeners[name] = listeners[name]?.filter((one) => one !== listener) ?? []; },
    send: (content) => void window.toKernel(content),
  };
  window.fromKernel = ({ method, state, content }) => {
    if (method === "custom") for (const listener of listeners["msg:custom"]) listener(content);
    if (method !== "update") return;
    Object.assign(window.state, state);
    for (const listener of listeners.change) listener();
  };
  view.initialize({ model });
`;

/** Shows the last widget, a form of a question, in a page of a browser, whose view and kernel hear one another. */
export async function showWidget(browser: Browser, notebook: TestNotebook): Promise<Page> {
  const { say, widget } = page(notebook);
  const shown = await browser.newPage({ viewport: { width: 1000, height: 900 } });
  shown.setDefaultTimeout(30_000);
  await expect.poll(() => widget("last").state.isOpen).toBe(true);
  const { id, state } = widget("last");
  // A page without an address lacks APIs of the browser that JupyterLab's page has.
  const body = `<style>body { font: 13px sans-serif }</style><div class="${String(state.place)}"></div>`;
  await shown.route("**/*", (route) => route.fulfill({ body, contentType: "text/html" }));
  await shown.goto("http://127.0.0.1/");
  let told = notebook.sent.length;
  const toKernel = async (content: unknown) => {
    await say(id, { method: "custom", content });
    const news = notebook.sent.slice(told);
    told += news.length;
    for (const { packet } of news)
      if (packet.kind === "message" && packet.commId === id)
        await shown.evaluate(`fromKernel(${JSON.stringify(packet.data)})`);
  };
  await shown.exposeFunction("toKernel", toKernel);
  const view = String(state._esm).replace("export default", "const view =");
  await shown.addScriptTag({
    content: `{${view}\n${MODEL.replace("STATE", () => JSON.stringify(state))}}`,
  });
  return shown;
}
