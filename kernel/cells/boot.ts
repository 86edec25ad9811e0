/** Starts and ends the kernel: worker 1 first, so that it answers while worker 2 and the notebook load. */
import type { CellReply, CellRequest } from "../jupyter/link.ts";
import { type JupyterHandlers, startJupyter } from "../jupyter/main/start.ts";
import { startTypes } from "../types/client.ts";
import { beforeCell, beforeFunctions, showToDebugger } from "./debugger-hooks.ts";
import type { OpenNotebook } from "./open-notebook.ts";

/** Serves the front ends of a connection file until one of them shuts the kernel down. */
export async function runKernel(connectionFile: string): Promise<void> {
  showToDebugger({ beforeCell, beforeFunctions });
  const opening = Promise.withResolvers<OpenNotebook>();
  // Thrown in each cell that uses it.
  opening.promise.catch(() => {});
  let notebook: OpenNotebook | undefined;
  const handlers: JupyterHandlers = {
    execute: (request) => execute(opening.promise, request),
    // Pages with widgets open their line to us while the notebook is still loaded.
    comm: async (id, packet) => await (await opening.promise).comms.receive(id, packet),
    debug: async (ask) => await (await opening.promise).debugging.take(ask),
    cancel: () => (notebook === undefined ? link.cancelled() : notebook.engine.cancel()),
    isEnding: (id) => notebook === undefined || notebook.engine.isEnding(id),
    startTypes: wake,
    close: async () => await notebook?.close(),
  };
  const starting = startJupyter(connectionFile, handlers, { hasFolder: true });
  // Sent at once, so that completion answers while a cell blocks this thread.
  const types = startTypes({
    started: () => void starting.then((link) => link.types(types.newPort())).catch(() => {}),
  });
  // The compiler takes longest: it is loaded while the front ends are connected and this thread loads the engine.
  wake();
  const link = await starting;
  try {
    const { openNotebook } = await import("./open-notebook.ts");
    notebook = openNotebook(link, types);
    opening.resolve(notebook);
  } catch (thrown) {
    link.folder(undefined);
    opening.reject(thrown);
  }
  await link.closed;

  function wake(): void {
    types.isComplete("").catch(() => {}); // Later requests report the error.
  }
}

async function execute(opening: Promise<OpenNotebook>, request: CellRequest): Promise<CellReply> {
  try {
    const { engine, debugging } = await opening;
    if (debugging.loading !== undefined) await debugging.loading;
    const reply = await engine.execute(request);
    debugging.cellEnded();
    return reply;
  } catch (thrown) {
    const { errorOutput } = await import("./output/error-output.ts");
    return { status: "error", error: errorOutput(thrown) };
  }
}
