/** Examines what of ours stands in Jupyter's folders, and whether the installed Jupyter can use it. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { workspaceAt } from "../../runtime/index.ts";
import {
  ownPythonPrefix,
  prefixDataFolder,
  searchedDataFolders,
  userDataFolder,
} from "./data-folder.ts";
import { isNewEnough, lookForPython } from "./find-python.ts";
import { type DoctorFinding, note, ok, wrong } from "./finding.ts";
import { extensionFolder, faultOfExtension } from "./install-extension.ts";
import { kernelFolder, readKernelspec } from "./install-kernelspec.ts";
import { ownKernelspec, ownLauncher } from "./kernelspec.ts";
import { findPythonEnv, pythonEnvRoot } from "./python-env.ts";
import { runProgram } from "./run-program.ts";

const LOADING_MS = 60_000;
const INSTALL = "run: madrigal install";

/**
 * Examines the kernelspec that a Jupyter of the user's own would start; `madrigal lab` and `exec`
 * bring theirs.
 */
export async function examineKernelspec(): Promise<DoctorFinding> {
  const folder = folderWithUs("kernel.json");
  if (folder === undefined) {
    const hint = `only for a JupyterLab or VS Code of your own: ${INSTALL}`;
    return note("kernelspec", `there is none at ${kernelFolder(userDataFolder())}`, hint);
  }
  const found = kernelFolder(folder);
  const spec = readKernelspec(folder);
  const problem =
    spec === undefined ? "is damaged: its kernel.json is no JSON" : await problemIn(spec, folder);
  if (problem === undefined) return ok("kernelspec", found);
  return wrong("kernelspec", `${found} ${problem}`, INSTALL);
}

/**
 * Returns the first data folder, in Jupyter's order, with a kernelspec of our name, damaged or not.
 */
function folderWithUs(file: string): string | undefined {
  return searchedDataFolders().find((folder) => existsSync(join(kernelFolder(folder), file)));
}

/**
 * Returns the reason why the kernelspec of a data folder does not start the kernel of this installation; undefined
 * if it does.
 */
async function problemIn(
  spec: Readonly<Record<string, unknown>>,
  folder: string,
): Promise<string | undefined> {
  const { argv } = spec;
  if (!Array.isArray(argv)) return "says no command";
  if (argv[1] === "-m" && argv[2] === "madrigal_kernel") return problemOfPython(spec, folder);
  return problemOf(argv, spec) ?? (await problemOfNode(String(argv[0])));
}

/** Jupyter starts it by the Python of the environment that it is in itself. */
function problemOfPython(
  spec: Readonly<Record<string, unknown>>,
  folder: string,
): string | undefined {
  const prefix = ownPythonPrefix();
  if (prefix === undefined || folder !== prefixDataFolder(prefix))
    return "starts another Madrigal: that of Python's package madrigal-kernel";
  return isOfToday(spec) ? undefined : "is of another version of Madrigal";
}

function problemOf(
  argv: readonly unknown[],
  spec: Readonly<Record<string, unknown>>,
): string | undefined {
  const [node, launcher] = [argv[0], argv.find((word) => /madrigal\.js$/.test(String(word)))];
  if (typeof node !== "string" || !existsSync(node)) return `starts a Node that is gone: ${node}`;
  if (typeof launcher !== "string") return "starts another program than Madrigal";
  if (!existsSync(launcher)) return `starts a Madrigal that is gone: ${launcher}`;
  if (launcher !== ownLauncher()) return `starts another Madrigal: ${launcher}`;
  const isWhole = ownKernelspec()
    .argv.slice(1)
    .every((word) => argv.includes(word));
  return isWhole && isOfToday(spec) ? undefined : "is of another version of Madrigal";
}

function isOfToday({ metadata, interrupt_mode }: Readonly<Record<string, unknown>>): boolean {
  const own = ownKernelspec();
  return (
    interrupt_mode === own.interrupt_mode &&
    JSON.stringify(metadata) === JSON.stringify(own.metadata)
  );
}

/** Python is only there for JupyterLab. */
export async function examinePython(): Promise<DoctorFinding> {
  const found = await lookForPython();
  const hint = "only for JupyterLab: install Python 3.10 or newer";
  if (found === undefined) return note("Python", "there is no `python3` on the PATH", hint);
  const text = `${found.version} at ${found.path}`;
  return isNewEnough(found) ? ok("Python", text) : note("Python", `${text} is too old`, hint);
}

const NODE_MIN = [22, 18] as const;

/** The Node of the kernelspec may have been replaced since. */
async function problemOfNode(node: string): Promise<string | undefined> {
  const { text } = await runProgram([node, "--version"], { timeoutMs: LOADING_MS });
  const [, major, minor] = /^v(\d+)\.(\d+)/.exec(text.trim())?.map(Number) ?? [];
  if (major === undefined || minor === undefined)
    return `starts a program that is not Node: ${node}`;
  const isEnough = major > NODE_MIN[0] || (major === NODE_MIN[0] && minor >= NODE_MIN[1]);
  if (isEnough) return undefined;
  return `starts Node ${text.trim()}, and Madrigal needs ${NODE_MIN.join(".")} or newer`;
}

/** Notebooks work without it: their cells are coloured as TypeScript then. */
export function examineExtension(): DoctorFinding {
  const folder = searchedDataFolders().find((one) => existsSync(extensionFolder(one)));
  const hint = `only for the colours of graphs and SQL in JupyterLab: ${INSTALL}`;
  if (folder === undefined) {
    return note("extension", `there is none at ${extensionFolder(userDataFolder())}`, hint);
  }
  const fault = faultOfExtension(folder);
  const found = extensionFolder(folder);
  if (fault === undefined) return ok("extension", found);
  return note("extension", `${found} ${fault}`, hint);
}

/** JupyterLab before this one shares its editor's parts otherwise. */
const LAB_MAJOR_MIN = 4;

/** Ours below `root`, else the one of the PATH. */
export async function examineJupyterLab({
  root = pythonEnvRoot(workspaceAt(process.cwd(), process.env).root),
}: {
  readonly root?: string;
} = {}): Promise<DoctorFinding> {
  const own = findPythonEnv(root);
  const prefix = ownPythonPrefix();
  const python = own?.python ?? (prefix && join(prefix, "bin", "python"));
  const command = python === undefined ? ["jupyter", "lab"] : [python, "-m", "jupyterlab"];
  const { ok: isThere, text } = await runProgram([...command, "--version"], {
    timeoutMs: LOADING_MS,
  });
  const version = /^\d+\.\d+\S*$/m.exec(text)?.[0];
  const hint = `\`madrigal lab\` installs it into ${join(root, ".venv")}`;
  if (!isThere || version === undefined) return note("JupyterLab", whyNot(text), hint);
  const where = own === undefined ? "yours" : `in ${own.folder}`;
  if (Number.parseInt(version, 10) < LAB_MAJOR_MIN) {
    const old = `${version}, ${where}, is too old for our extension; cells work, as TypeScript`;
    return note("JupyterLab", old, `pip install 'jupyterlab>=${LAB_MAJOR_MIN}', or: ${hint}`);
  }
  return ok("JupyterLab", own === undefined ? `${version}, yours` : `${version} ${where}`);
}

/** A program that is there and fails says why; one that is not there is not installed. */
function whyNot(text: string): string {
  const last = text.trim().split("\n").at(-1) ?? "";
  const isAbsent = last === "" || /ENOENT|not found|No module named/.test(last);
  return isAbsent ? "is not installed" : `can't be started: ${last}`;
}
