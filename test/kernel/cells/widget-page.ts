/** A page with widgets, as the kernel hears it by comms. */
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
