/** Executes pieces of code one after another in one folder, and keeps the files that they leave. */
import type { ArtifactKind } from "../../artifact.ts";
import type { ToolContext } from "../scope/tools.ts";
import { COPIES, WORK } from "./bubblewrap.ts";
import type { CodeBlock, CodeLanguage } from "./code-blocks.ts";
import { codeError } from "./code-error.ts";
import type { CodeLimits, CodeSandbox } from "./code-limits.ts";
import { examineSandbox } from "./examine-sandbox.ts";
import { interpreterOf } from "./interpreter.ts";
import { type EndedCommand, runCommand } from "./run-command.ts";
import {
  type CopiedFile,
  type FolderState,
  openWorkFolder,
  putCopies,
  putFile,
  readBytes,
  stateOf,
  takeFile,
  type WorkFolder,
} from "./work-folder.ts";

/** The place in which the code of some tools runs, and its limits. */
export interface CodeSetting {
  readonly sandbox: CodeSandbox;
  readonly cwd: string | undefined;
  /** True if the folder is a copy that an agent has of its files. */
  readonly isOwnCopy?: true;
  readonly limits: CodeLimits;
}

/** The code of one call. */
export interface AskedCode {
  readonly blocks: readonly CodeBlock[];
  /** Texts of files that are there when it starts, by their names. */
  readonly files?: Readonly<Record<string, string>> | undefined;
  /** Files that are there while it runs, in the folder `COPIES`, and are no files of its own. */
  readonly copies?: readonly CopiedFile[];
  /** The time for all of it, where it is less than the limit. */
  readonly seconds?: number | undefined;
}

/** A file that code has made or changed. */
export interface ProducedFile {
  readonly path: string;
  readonly bytes: number;
  readonly artifact: string;
}

/** The outcome of a call. */
export interface ExecutedCode extends CodeSetting {
  /** One for each piece of code that was run: none behind the first that failed. */
  readonly ended: readonly (EndedCommand & Pick<CodeBlock, "language">)[];
  readonly files: readonly ProducedFile[];
  readonly notes: readonly string[];
}

/** Executes code. Throws M8330 where there is no bubblewrap, M8332 where it can't make a sandbox here. */
export async function executeCode(
  { blocks, files = {}, copies = [], seconds }: AskedCode,
  setting: CodeSetting,
  context: ToolContext,
): Promise<ExecutedCode> {
  const { sandbox, cwd, isOwnCopy = false } = setting;
  const timeoutMs = Math.min(setting.limits.timeoutMs, (seconds ?? Infinity) * 1000);
  const limits = { ...setting.limits, timeoutMs };
  const folder = await openWorkFolder({ cwd, isOwnCopy, isSandboxed: sandbox === "bwrap" });
  try {
    for (const [name, text] of Object.entries(files)) await putFile(folder, plainName(name), text);
    await putCopies(folder, copies);
    const before = await stateOf(folder);
    const deadline = performance.now() + timeoutMs;
    const ended: ExecutedCode["ended"][number][] = [];
    for (const block of blocks) {
      const leftMs = deadline - performance.now();
      const one = await runBlock(block, { ...setting, limits, folder, leftMs, context });
      ended.push({ ...one, language: block.language });
      if (one.exitCode !== 0) break;
    }
    const kept = await keepFiles(folder, before, context);
    return { ...setting, limits, ended, ...kept };
  } finally {
    if (copies.length > 0) await takeFile(folder, COPIES);
    await folder.end();
  }
}

interface BlockSurroundings extends Omit<CodeSetting, "cwd"> {
  readonly folder: WorkFolder;
  readonly leftMs: number;
  readonly context: Pick<ToolContext, "signal">;
}

async function runBlock(
  { language, code }: CodeBlock,
  { folder, context, sandbox, ...surroundings }: BlockSurroundings,
): Promise<EndedCommand> {
  const name = `madrigal_code.${ENDINGS[language]}`;
  await putFile(folder, name, code);
  const command = [...interpreterOf(language, sandbox), name];
  const { path, user } = folder;
  const { signal } = context;
  try {
    const ended = await runCommand({
      ...surroundings,
      sandbox,
      command,
      folder: path,
      user,
      signal,
    });
    // Its own program may have failed before the code began.
    if (ended.exitCode === 1 && /^(?:bwrap|setpriv|prlimit): /.test(ended.stderr))
      await assertSandbox();
    return ended;
  } finally {
    await takeFile(folder, name);
  }
}

const ENDINGS: Readonly<Record<CodeLanguage, string>> = {
  javascript: "js",
  typescript: "ts",
  python: "py",
  shell: "sh",
};

async function assertSandbox(): Promise<void> {
  const { fault } = await examineSandbox();
  if (fault !== undefined) throw fault;
}

function plainName(name: string): string {
  if (/^[^/\\]+$/.test(name)) return name;
  const message = `"${name}" is no name of a file`;
  throw codeError("M8333", { message, hint: `files stand in ${WORK} itself, without folders` });
}

// ── what it leaves ──────────────────────────────────────────────────────────────────────────────

const FILES_MAX = 20;
const FILE_BYTES_MAX = 8 * 1024 * 1024;

async function keepFiles(
  folder: WorkFolder,
  before: FolderState,
  context: ToolContext,
): Promise<Pick<ExecutedCode, "files" | "notes">> {
  const after = await stateOf(folder);
  const changed = [...after].filter(([path, state]) => before.get(path) !== state);
  const files: ProducedFile[] = [];
  const left: string[] = [];
  for (const [path] of changed) {
    const data =
      files.length < FILES_MAX ? await readBytes(folder, path, FILE_BYTES_MAX) : undefined;
    if (data === undefined) {
      left.push(path);
      continue;
    }
    const { id, bytes } = await context.artifact({ name: path, kind: kindOf(path), data, path });
    files.push({ path, bytes, artifact: id });
  }
  const notes =
    left.length === 0
      ? []
      : [
          `${left.length} more files are not kept, such as ${left[0]}: at most ${FILES_MAX} are, of ${FILE_BYTES_MAX} bytes each`,
        ];
  return { files, notes };
}

function kindOf(path: string): ArtifactKind {
  if (/\.(?:png|jpe?g|gif|webp|svg)$/i.test(path)) return "image";
  return /\.(?:py|js|mjs|ts|sh)$/i.test(path) ? "code" : "file";
}
