/** The kernel's life: worker 1 first, so that it answers while the rest is loaded, then the notebook, then the end. */
import type { CellReply, CellRequest } from "../jupyter/link.ts";
import { startJupyter } from "../jupyter/start.ts";
import type { OpenNotebook } from "./open-notebook.ts";

/** Serves the front ends of a connection file until one of them shuts the kernel down. */
export async function runKernel(connectionFile: string): Promise<void> {
  const opening = Promise.withResolvers<OpenNotebook>();
  // Told to each cell that asks for it.
  opening.promise.catch(() => {});
  let notebook: OpenNotebook | undefined;
  const link = await startJupyter(connectionFile, {
    execute: (request) => execute(opening.promise, request),
    cancel: () => (notebook === undefined ? link.cancelled() : notebook.engine.cancel()),
    startTypes: () => void opening.promise.then(({ startTypes }) => startTypes()),
    close: async () => await notebook?.close(),
  });
  try {
    const { openNotebook } = await import("./open-notebook.ts");
    notebook = openNotebook(link);
    opening.resolve(notebook);
  } catch (thrown) {
    opening.reject(thrown);
  }
  await link.closed;
}

async function execute(opening: Promise<OpenNotebook>, request: CellRequest): Promise<CellReply> {
  try {
    const { engine } = await opening;
    return await engine.execute(request);
  } catch (thrown) {
    const { errorOutput } = await import("./error-output.ts");
    return { status: "error", error: errorOutput(thrown) };
  }
}
