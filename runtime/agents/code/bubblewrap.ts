/** Writes the command lines of bubblewrap: what code sees of the machine, and as whom it runs. */
import { existsSync, lstatSync, readlinkSync, realpathSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { codeError } from "./code-error.ts";
import { type CodeLimits, limitedCommand, MEMORY_FILES_BYTES_MAX } from "./code-limits.ts";

/** Returns the path of the command `bwrap`. Throws M8330 where there is none. */
export function findBubblewrap(): string {
  const found = (process.env.PATH ?? "")
    .split(delimiter)
    .map((folder) => join(folder, "bwrap"))
    .find((path) => path.startsWith("/") && existsSync(path));
  if (found !== undefined && process.platform === "linux") return found;
  const message =
    process.platform === "linux"
      ? "code runs in bubblewrap, which is not installed"
      : "code runs in bubblewrap, which needs Linux";
  throw codeError("M8330", { message, hint: INSTALL_HINT });
}

export const INSTALL_HINT =
  'install it (`apt install bubblewrap`), or say `createCodeTools({ sandbox: "open" })` to run code unprotected';

/** The names of the work folder and of our Node in a sandbox. */
export const WORK = "/work";
export const NODE = "/opt/madrigal/node";

/** The folder in the work folder with the files that code is given; what it leaves there is not kept. */
export const COPIES = ".madrigal_files";

/** The folders of programs and libraries, which on most systems are links into /usr. */
const SYSTEM_FOLDERS = ["/bin", "/sbin", "/lib", "/lib64", "/lib32"];
/** The files by which programs of /usr find their parts. */
const SYSTEM_FILES = ["/etc/alternatives", "/etc/ld.so.cache", "/etc/localtime", "/etc/fonts"];

/** The descriptors by which bubblewrap reads its options, and the filter of system calls. */
export const OPTIONS_FD = 3;
export const FILTER_FD = 4;

/** The whole environment of code in a sandbox. */
const ENVIRONMENT: Readonly<Record<string, string>> = {
  PATH: "/opt/madrigal:/usr/local/bin:/usr/bin:/bin",
  HOME: WORK,
  LANG: "C.UTF-8",
  TMPDIR: "/tmp",
  PYTHONDONTWRITEBYTECODE: "1",
};

/** A command to run in a sandbox. */
export interface SandboxedCommand {
  readonly command: readonly string[];
  /** The real path of the folder that it may write to. */
  readonly folder: string;
  /** The user that owns the folder. */
  readonly user: number;
  readonly limits: CodeLimits;
  /** True if a filter of system calls is at `FILTER_FD`. */
  readonly isFiltered: boolean;
}

/** The options of bubblewrap, and the command that it starts. */
export interface SandboxArguments {
  readonly options: readonly string[];
  readonly command: readonly string[];
  /** The user and group as which bubblewrap itself is started; absent where that is the one who starts it. */
  readonly startAs?: number;
}

/**
 * Returns the arguments of bubblewrap for a command. The kernel counts no processes of root, so that root's sandbox runs as the
 * user that owns the folder. That user makes it where the folder and our Node can be reached; else root does, and a second
 * bubblewrap makes the user namespace in it.
 */
export function sandboxArguments(of: SandboxedCommand): SandboxArguments {
  const { limits, user, folder, isFiltered } = of;
  const limited = [...limitedCommand(limits, "bwrap"), ...of.command];
  const filter = isFiltered ? ["--seccomp", String(FILTER_FD)] : [];
  const asUser = [...filter, "--unshare-user", "--disable-userns", "--chdir", WORK];
  const single = { options: [...asUser, ...view(of)], command: limited };
  if (process.getuid?.() !== 0) return single;
  const isReached = [folder, realpathSync(process.execPath)].every((path) => reaches(user, path));
  if (isReached) return { ...single, startAs: user };
  const id = String(user);
  const change = ["setpriv", "--reuid", id, "--regid", id, "--clear-groups", "--"];
  const inner = ["bwrap", ...asUser, "--dev-bind", "/", "/", "--"];
  const rights = ["--cap-drop", "ALL", "--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"];
  return { options: [...rights, ...view(of)], command: [...change, ...inner, ...limited] };
}

/** Returns whether a user without groups may pass each folder above a real path. */
function reaches(user: number, path: string): boolean {
  const above = dirname(path);
  const stats = lstatSync(above, { throwIfNoEntry: false });
  if (stats === undefined) return false;
  const passing = stats.uid === user ? 0o100 : 0o001;
  // As the kernel does: the right of the owner, else that of the group, else that of all others.
  const isOfGroup = stats.uid !== user && stats.gid === user;
  if ((stats.mode & (isOfGroup ? 0o010 : passing)) === 0) return false;
  return above === path || above === "/" || reaches(user, above);
}

function view({ folder }: SandboxedCommand): readonly string[] {
  const memory = ["--perms", "1777", "--size", String(MEMORY_FILES_BYTES_MAX), "--tmpfs"];
  return [
    ...["--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"],
    ...["--hostname", "sandbox", "--die-with-parent", "--new-session", "--clearenv"],
    ...Object.entries(ENVIRONMENT).flatMap(([name, value]) => ["--setenv", name, value]),
    ...["--ro-bind", "/usr", "/usr", ...SYSTEM_FOLDERS.flatMap(systemFolder)],
    ...["/etc", "/opt", "/opt/madrigal"].flatMap((path) => ["--perms", "0755", "--dir", path]),
    ...SYSTEM_FILES.flatMap((path) => ["--ro-bind-try", path, path]),
    ...["--ro-bind", realpathSync(process.execPath), NODE],
    ...["--proc", "/proc", "--dev", "/dev", ...memory, "/dev/shm", ...memory, "/tmp"],
    ...["--bind", folder, WORK, "--remount-ro", "/dev", "--remount-ro", "/"],
  ];
}

function systemFolder(path: string): readonly string[] {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return [];
  return stats.isSymbolicLink()
    ? ["--symlink", readlinkSync(path), path]
    : ["--ro-bind", path, path];
}
