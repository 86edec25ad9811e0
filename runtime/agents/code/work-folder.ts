/** Prepares the folder in which code works, and finds what the code has left in it. */
import type { Stats } from "node:fs";
import {
  chmod,
  chown,
  lchown,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  realpath,
  rm,
  stat,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type OpenFolder, RootedFiles, withFile } from "../files/rooted-files.ts";
import { isSecretPath } from "../files/secret-paths.ts";
import { replaceFile, WriteQuota, writeText } from "../files/write-file.ts";
import { COPIES } from "./bubblewrap.ts";
import { codeError } from "./code-error.ts";
import { lookAt } from "./watch-usage.ts";

/** The folder of one call. */
export interface WorkFolder {
  readonly path: string;
  /** The user that owns it. */
  readonly user: number;
  readonly files: RootedFiles;
  /** Removes it where it is a temporary one. */
  readonly end: () => Promise<void>;
}

/** The user as which code runs in a temporary folder where we are root: nobody. */
const NOBODY = 65_534;

interface FolderToOpen {
  /** The folder that a program names; a temporary one where it names none. */
  readonly cwd: string | undefined;
  readonly isSandboxed: boolean;
  /** True if all in it is a copy of ours, which may be given to the user as whom code runs. */
  readonly isOwnCopy?: boolean;
}

/** Throws M8333 where code could not write to the folder. */
export async function openWorkFolder({
  cwd,
  isSandboxed,
  isOwnCopy = false,
}: FolderToOpen): Promise<WorkFolder> {
  const isRoot = process.getuid?.() === 0;
  const own = process.getuid?.() ?? 0;
  if (cwd === undefined) {
    const path = await makeTemporaryFolder();
    const user = isRoot && isSandboxed ? NOBODY : own;
    if (user !== own) await chown(path, user, user);
    return { path, user, files: new RootedFiles(path), end: () => remove(path) };
  }
  const path = await madeFolder(cwd);
  const files = new RootedFiles(path);
  const end = async () => {};
  if (!isRoot || !isSandboxed) return { path, user: own, files, end };
  if (isOwnCopy) {
    // Each time: tools for files write as root.
    await handOver(path, NOBODY);
    return { path, user: NOBODY, files, end };
  }
  const { uid } = await stat(path);
  if (uid !== own) return { path, user: uid, files, end };
  if ((await readdir(path)).length > 0)
    throw codeError("M8333", {
      message: `the folder "${cwd}" belongs to root, and the code of root runs as user ${NOBODY}`,
      hint: `give it to that user (\`chown -R ${NOBODY} ${cwd}\`), or run Madrigal as another user than root`,
    });
  await chown(path, NOBODY, NOBODY);
  return { path, user: NOBODY, files, end };
}

/**
 * Gives what root has in a folder to another user: no link is followed, a file with a second name keeps its owner, and so does
 * the `.git` of a worktree. No code runs in the folder meanwhile.
 */
async function handOver(folder: string, user: number): Promise<void> {
  await lchown(folder, user, user);
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const stats = await lstat(path);
    if (name === ".git") continue;
    if (stats.isDirectory()) await handOver(path, user);
    else if (stats.uid === 0 && stats.nlink === 1) await lchown(path, user, user);
  }
}

async function madeFolder(cwd: string): Promise<string> {
  try {
    await mkdir(cwd, { recursive: true });
    return await realpath(cwd);
  } catch (cause) {
    const message = `the folder "${cwd}" can't be used: ${(cause as Error).message}`;
    throw codeError("M8333", { message, hint: "`cwd` names a folder that may be written", cause });
  }
}

/** Its name tells its process: what a killed process could not remove goes at the next call. */
async function makeTemporaryFolder(): Promise<string> {
  const parent = await realpath(tmpdir());
  for (const name of await readdir(parent)) {
    const [, owner] = /^madrigal-code-(\d+)-/.exec(name) ?? [];
    if (owner !== undefined && !isThere(Number(owner)))
      await remove(join(parent, name)).catch(() => {});
  }
  return mkdtemp(join(parent, `madrigal-code-${process.pid}-`));
}

function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (thrown) {
    return (thrown as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** Removes a folder of ours, also where the code has taken the rights away. */
async function remove(path: string): Promise<void> {
  const all = { recursive: true, force: true } as const;
  await rm(path, all).catch(async () => {
    await allowAll(path);
    await rm(path, all);
  });
}

async function allowAll(folder: string): Promise<void> {
  await chmod(folder, 0o700);
  for (const entry of await readdir(folder, { withFileTypes: true }))
    if (entry.isDirectory()) await allowAll(join(folder, entry.name));
}

/** Writes a text file into the folder, owned by whoever runs the code. */
export async function putFile(
  { files, user }: WorkFolder,
  path: string,
  text: string,
): Promise<void> {
  const quota = new WriteQuota(Buffer.byteLength(text));
  await writeText(files, { path, text, quota });
  if (process.getuid?.() !== 0) return;
  await files.inFolderOf(path, async (folder, name) =>
    withFile(folder, name, (file) => file.chown(user, user)),
  );
}

/** A file that code is given beside its own; `path` is relative to `COPIES`. */
export interface CopiedFile {
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** Puts copies of files into the folder, which whoever runs the code can read. */
export async function putCopies(
  { files, user }: WorkFolder,
  copies: readonly CopiedFile[],
): Promise<void> {
  const folders = new Set<string>();
  for (const { path, bytes } of copies) {
    const parts = `${COPIES}/${path}`.split("/");
    await files.inFolderOf(
      parts.join("/"),
      async (folder, name) => {
        await replaceFile(folder, name, bytes);
        if (process.getuid?.() === 0)
          await withFile(folder, name, (file) => file.chown(user, user));
      },
      true,
    );
    for (let depth = 1; depth < parts.length; depth += 1)
      folders.add(parts.slice(0, depth).join("/"));
  }
  // Whatever rights new folders have here.
  for (const one of folders) await files.inFolder(one, ({ path }) => chmod(path, 0o755));
}

/** Removes a file or a folder of ours again. */
export async function takeFile({ files }: WorkFolder, path: string): Promise<void> {
  await files
    .inFolderOf(path, (folder, name) =>
      rm(join(folder.path, name), { recursive: true, force: true }),
    )
    // The code itself may have removed it, or have put a folder in its place.
    .catch(() => {});
}

// ── what is new ─────────────────────────────────────────────────────────────────────────────────

/** The files of a folder as they were, by their paths. */
export type FolderState = ReadonlyMap<string, string>;

const VISITED_MAX = 5_000;
const DEPTH_MAX = 20;
/** Folders of programs, not of results; so are those whose names begin with a dot. */
const PASSED = new Set(["node_modules", "__pycache__"]);

/** Returns what can be seen of each file; links and devices are passed over. */
export async function stateOf({ files }: WorkFolder): Promise<FolderState> {
  const state = new Map<string, string>();
  const visit = async (at: string, depth: number): Promise<void> => {
    const entries = await files
      .inFolder(at, ({ path }) => entriesOf(path))
      .catch((): readonly (readonly [string, Stats])[] => []);
    for (const [name, stats] of entries) {
      const path = at === "" ? name : `${at}/${name}`;
      if (name.startsWith(".") || isSecretPath(path) || state.size >= VISITED_MAX) continue;
      if (stats.isFile())
        state.set(path, `${stats.ino} ${stats.size} ${stats.mtimeMs} ${stats.ctimeMs}`);
      else if (stats.isDirectory() && depth < DEPTH_MAX && !PASSED.has(name))
        await visit(path, depth + 1);
    }
  };
  await visit("", 0);
  return state;
}

async function entriesOf(path: string): Promise<readonly (readonly [string, Stats])[]> {
  const found: (readonly [string, Stats])[] = [];
  for (const name of (await readdir(path)).sort()) {
    const stats = lookAt(join(path, name));
    if (stats !== undefined) found.push([name, stats]);
    if (found.length >= VISITED_MAX) break;
  }
  return found;
}

/** Reads a file of at most so many bytes, unless it is none any more. */
export async function readBytes(
  { files }: WorkFolder,
  path: string,
  bytesMax: number,
): Promise<Uint8Array | undefined> {
  const read = (folder: OpenFolder, name: string) =>
    withFile(folder, name, async (file, { size }) => {
      if (size > bytesMax) return undefined;
      const bytes = Buffer.alloc(size);
      const { bytesRead } = await file.read(bytes, 0, size, 0);
      return bytes.subarray(0, bytesRead);
    });
  return files.inFolderOf(path, read).catch(() => undefined);
}
