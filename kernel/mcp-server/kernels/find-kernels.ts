/** Finds the kernels of this user by the connection files in Jupyter's runtime folder, whose keys only their owner can read. */
import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { messageOf } from "../../../runtime/index.ts";
import { type Connection, readConnection } from "../../jupyter/wire/connection.ts";
import { userDataFolder } from "../../lab/data-folder.ts";

export interface FoundKernel {
  /** The name of its file without `kernel-` and `.json`. */
  readonly id: string;
  readonly connection: Connection;
}

export interface FoundKernels {
  readonly kernels: readonly FoundKernel[];
  /** Files that are left alone, and why. */
  readonly refused: readonly { readonly file: string; readonly why: string }[];
}

/** A user may have a few; leftovers of dead ones stay in the folder. */
const FILES_MAX = 200;

export function runtimeFolder(env: Readonly<Record<string, string | undefined>>): string {
  return env.JUPYTER_RUNTIME_DIR || join(userDataFolder(env), "runtime");
}

/** Reads the connection files, the newest first. A folder that is not there has none. */
export function findKernels(env: Readonly<Record<string, string | undefined>>): FoundKernels {
  const folder = runtimeFolder(env);
  const kernels: FoundKernel[] = [];
  const refused: { file: string; why: string }[] = [];
  for (const { file, path } of newestFiles(folder)) {
    const why = refusal(path);
    if (why !== undefined) refused.push({ file, why });
    else {
      try {
        const connection = readConnection(path);
        const foreign = foreignPlace(connection);
        if (foreign === undefined) kernels.push({ id: idOf(file), connection });
        else refused.push({ file, why: foreign });
      } catch (thrown) {
        refused.push({ file, why: messageOf(thrown) });
      }
    }
  }
  return { kernels, refused };
}

function newestFiles(folder: string) {
  try {
    return readdirSync(folder)
      .filter((file) => /^kernel-.+\.json$/.test(file))
      .map((file) => ({ file, path: join(folder, file) }))
      .map((one) => ({ ...one, changed: lstatSync(one.path).mtimeMs }))
      .sort((a, b) => b.changed - a.changed)
      .slice(0, FILES_MAX);
  } catch {
    return []; // No Jupyter has run here, or a file went meanwhile.
  }
}

/** Says why a file is left alone: who can read or write it can run code in its kernel, and it may lead anywhere. */
function refusal(path: string): string | undefined {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined || !found.isFile()) return "it is no file";
  if (process.getuid !== undefined && found.uid !== process.getuid())
    return "it belongs to somebody else";
  if (process.platform !== "win32" && (found.mode & 0o077) !== 0)
    return "others can read or write it: chmod 600";
  return undefined;
}

function foreignPlace({ transport, ip, key }: Connection): string | undefined {
  if (key === "") return "its messages are not signed";
  if (transport === "ipc") return undefined;
  return ip === "127.0.0.1" || ip === "::1" || ip === "localhost"
    ? undefined
    : `it is at ${ip}, not on the loopback interface`;
}

function idOf(file: string): string {
  return file.replace(/^kernel-/, "").replace(/\.json$/, "");
}
