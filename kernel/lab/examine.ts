/** What `madrigal doctor` looks at: each examination says in a sentence what it found and how to mend it. */
import { accessSync, constants, existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { workspaceAt } from "../../runtime/index.ts";
import { KernelClient } from "../notebook/client.ts";
import { searchedDataFolders, userDataFolder } from "./data-folder.ts";
import { isNewEnough, lookForPython } from "./find-python.ts";
import { kernelFolder, readKernelspec } from "./install-kernelspec.ts";
import { ownKernelspec, ownLauncher } from "./kernelspec.ts";
import { findPythonEnv, pythonEnvRoot } from "./python-env.ts";
import { runProgram } from "./run-program.ts";

/** `note`: only needed for JupyterLab on this machine. */
export type Health = "ok" | "note" | "wrong";

export interface Finding {
  /** What was looked at, in a word. */
  readonly part: string;
  readonly health: Health;
  readonly found: string;
  /** How to mend it. */
  readonly hint?: string;
}

const LIBRARIES = ["zeromq", "@duckdb/node-api", "typescript-6"];
const LOADING_MS = 60_000;

/** Looks at everything; the order is that of dependence. */
export async function examine(): Promise<readonly Finding[]> {
  const libraries = await Promise.all(LIBRARIES.map(examineLibrary));
  const [python, lab] = await Promise.all([examinePython(), examineJupyterLab()]);
  return [
    examineNode(),
    ...libraries,
    examineWorkspace(),
    await examineKernel(),
    examineKernelspec(),
    python,
    lab,
  ];
}

function examineNode(): Finding {
  // An older Node never comes here: kernel/madrigal.js sees to that.
  return ok("Node", `${process.versions.node} at ${process.execPath}`);
}

/** In a process of its own: a broken native library may take its process down. */
async function examineLibrary(name: string): Promise<Finding> {
  const script = `await import(${JSON.stringify(name)})`;
  const { ok: isLoaded, text } = await runProgram(
    [process.execPath, "--input-type=module", "--eval", script],
    { cwd: fileURLToPath(new URL(".", import.meta.url)), timeoutMs: LOADING_MS },
  );
  if (isLoaded) return ok(name, "loads");
  const reason = /^\w*Error.*$/m.exec(text)?.[0] ?? text.trim().split("\n").at(-1) ?? "";
  return wrong(name, `can't be loaded: ${reason}`, `run \`npm install\` in ${packageRoot()}`);
}

function examineWorkspace(): Finding {
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
async function examineKernel(): Promise<Finding> {
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
    return wrong("kernel", why, "mend what is wrong above; else please report it");
  }
}

function examineKernelspec(): Finding {
  const folders = searchedDataFolders();
  const folder = folders.find((one) => readKernelspec(one) !== undefined);
  if (folder === undefined) {
    const where = kernelFolder(userDataFolder());
    return wrong("kernelspec", `there is none at ${where}`, "run: madrigal install");
  }
  const found = kernelFolder(folder);
  const problem = problemOf(readKernelspec(folder) ?? {});
  if (problem === undefined) return ok("kernelspec", found);
  return wrong("kernelspec", `${found} ${problem}`, "run: madrigal install");
}

/** Why this kernelspec does not start the kernel of this installation. */
function problemOf({ argv }: Readonly<Record<string, unknown>>): string | undefined {
  if (!Array.isArray(argv)) return "says no command";
  const [node, launcher] = [argv[0], argv.find((word) => /madrigal\.js$/.test(String(word)))];
  if (typeof node !== "string" || !existsSync(node)) return `starts a Node that is gone: ${node}`;
  if (typeof launcher !== "string") return "starts something else than Madrigal";
  if (!existsSync(launcher)) return `starts a Madrigal that is gone: ${launcher}`;
  return launcher === ownLauncher() ? undefined : `starts another Madrigal: ${launcher}`;
}

async function examinePython(): Promise<Finding> {
  const found = await lookForPython();
  const hint = "only for JupyterLab: install Python 3.10 or newer";
  if (found === undefined) return note("Python", "there is no `python3` on the PATH", hint);
  const text = `${found.version} at ${found.path}`;
  return isNewEnough(found) ? ok("Python", text) : note("Python", `${text} is too old`, hint);
}

async function examineJupyterLab(): Promise<Finding> {
  const root = pythonEnvRoot(workspaceAt(process.cwd(), process.env).root);
  const own = findPythonEnv(root);
  const command = own === undefined ? ["jupyter"] : [own.python, "-m", "jupyter"];
  const { ok: isThere, text } = await runProgram([...command, "lab", "--version"], {
    timeoutMs: LOADING_MS,
  });
  const version = /^\d+\.\d+\S*$/m.exec(text)?.[0];
  if (isThere && version !== undefined) {
    return ok(
      "JupyterLab",
      own === undefined ? `${version}, yours` : `${version} in ${own.folder}`,
    );
  }
  const hint = `\`madrigal lab\` installs it into ${join(root, ".venv")}`;
  return note("JupyterLab", "is not installed", hint);
}

function packageRoot(): string {
  return fileURLToPath(new URL("../..", import.meta.url));
}

function ok(part: string, found: string): Finding {
  return { part, health: "ok", found };
}

function note(part: string, found: string, hint: string): Finding {
  return { part, health: "note", found, hint };
}

function wrong(part: string, found: string, hint: string): Finding {
  return { part, health: "wrong", found, hint };
}
