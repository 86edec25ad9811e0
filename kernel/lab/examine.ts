/** Runs the examinations of `madrigal doctor`: each says what it found and how to mend it. */
import { accessSync, constants, existsSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { workspaceAt } from "../../runtime/index.ts";
import { examineLocalModels } from "../local-models/examine-local-models.ts";
import { KernelClient } from "../notebook/execution/client.ts";
import { examineAgents } from "./examine-agents.ts";
import { examineBrowser } from "./examine-browser.ts";
import { examineBubblewrap } from "./examine-bubblewrap.ts";
import { examineDocuments } from "./examine-documents.ts";
import {
  examineExtension,
  examineJupyterLab,
  examineKernelspec,
  examinePython,
} from "./examine-jupyter.ts";
import { examinePapermill } from "./examine-papermill.ts";
import { type DoctorFinding, ok, wrong } from "./finding.ts";
import { ownKernelspec } from "./kernelspec.ts";
import { runProgram } from "./run-program.ts";

const LIBRARIES = ["zeromq", "@duckdb/node-api", "typescript-6"];
const LOADING_MS = 60_000;

/** Looks at everything; the order is that of dependence. */
export async function examine(): Promise<readonly DoctorFinding[]> {
  const libraries = await Promise.all(LIBRARIES.map(examineLibrary));
  const [python, lab, papermill] = await Promise.all([
    examinePython(),
    examineJupyterLab(),
    examinePapermill(),
  ]);
  return [
    examineNode(),
    ...libraries,
    examineWorkspace(),
    await examineKernel(),
    await examineKernelspec(),
    examineExtension(),
    python,
    lab,
    ...papermill,
    examineLocalModels(process.env),
    examineBrowser(process.env),
    examineDocuments(),
    await examineBubblewrap(),
    ...(await examineAgents(process.env)),
  ];
}

function examineNode(): DoctorFinding {
  // An older Node never comes here: kernel/madrigal.js sees to that.
  return ok("Node", `${process.versions.node} at ${process.execPath}`);
}

/**
 * Examines a library in a process of its own, since a broken native library may take its process
 * down.
 */
export async function examineLibrary(name: string): Promise<DoctorFinding> {
  const script = `await import(${JSON.stringify(name)})`;
  const { ok: isLoaded, text } = await runProgram(
    [process.execPath, "--input-type=module", "--eval", script],
    { cwd: fileURLToPath(new URL(".", import.meta.url)), timeoutMs: LOADING_MS },
  );
  if (isLoaded) return ok(name, "loads");
  const reason = /^\w*Error.*$/m.exec(text)?.[0] ?? text.trim().split("\n").at(-1) ?? "";
  return wrong(name, `can't be loaded: ${reason}`, `run \`npm install\` in ${packageRoot()}`);
}

function examineWorkspace(): DoctorFinding {
  const { root, dataDir } = workspaceAt(process.cwd(), process.env);
  let folder = dataDir;
  while (!existsSync(folder) && dirname(folder) !== folder) folder = dirname(folder);
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
    return ok("workspace", root);
  } catch {
    const hint = "make it writable, or set MADRIGAL_HOME to a folder that is";
    return wrong("workspace", `\`${folder}\` can't be written`, hint);
  }
}

/** Starts a real kernel and waits for its answer. */
async function examineKernel(): Promise<DoctorFinding> {
  const began = performance.now();
  try {
    const client = await KernelClient.start({
      spec: ownKernelspec(),
      cwd: process.cwd(),
      onPublished: () => {},
    });
    const ms = performance.now() - began;
    await client.close();
    return ok("kernel", `starts and answers in ${(ms / 1000).toFixed(2)}s`);
  } catch (thrown) {
    const why = thrown instanceof Error ? thrown.message : String(thrown);
    return wrong(
      "kernel",
      why,
      "correct the faults above; if there are none, please report this one",
    );
  }
}

function packageRoot(): string {
  return fileURLToPath(new URL("../..", import.meta.url));
}
