/** The main thread of a kernel in a process of its own: cells are JavaScript in the global context, as the real one runs them. */
import { runInThisContext } from "node:vm";
import { callInterruptibly } from "../../../kernel/cells/run-script.ts";
import { type CellReply, type CellRequest, Phase } from "../../../kernel/jupyter/link.ts";
import { type JupyterLink, startJupyter } from "../../../kernel/jupyter/main/start.ts";

const [, , connectionFile = ""] = process.argv;
let cancelCell: (() => void) | undefined;

const link = await startJupyter(connectionFile, {
  execute,
  comm: async () => undefined,
  debug: async () => undefined,
  cancel() {
    cancelCell?.();
    link.cancelled();
  },
  isEnding: () => false,
  startTypes: () => undefined,
  close: async () => void process.stdout.write("closes\n"),
});
process.stdout.write("listens\n");
await link.closed;
process.stdout.write("closed\n");
process.exit(0);

async function execute({ id, code }: CellRequest): Promise<CellReply> {
  const print = (text: string) => link.output(id, { kind: "stream", name: "stdout", text });
  const ask = (prompt: string) => link.ask(id, prompt, false);
  Object.assign(globalThis, { print, ask });
  const cancelled = Promise.withResolvers<never>();
  cancelCell = () => cancelled.reject(new Error("cancelled"));
  cancelled.promise.catch(() => undefined);
  try {
    const value = await Promise.race([run(code, link), cancelled.promise]);
    const bundle = { data: { "text/plain": String(value) }, metadata: {} };
    link.output(id, { kind: "result", bundle });
    return { status: "ok", userExpressions: {} };
  } catch (thrown) {
    const evalue = thrown instanceof Error ? thrown.message : String(thrown);
    const ename = codeOf(thrown);
    return { status: "error", error: { kind: "error", ename, evalue, traceback: [evalue] } };
  } finally {
    link.phase(Phase.idle);
  }
}

function run(code: string, to: JupyterLink): unknown {
  return callInterruptibly(() => runInThisContext(code), to);
}

function codeOf(thrown: unknown): string {
  return thrown instanceof Error && "code" in thrown ? String(thrown.code) : "Error";
}
