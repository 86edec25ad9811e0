/** Makes, lists and removes worktrees of git, with nothing of the person's settings and no hook. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { filesError } from "../files-error.ts";

const run = promisify(execFile);

const OUTPUT_BYTES_MAX = 32 * 1024 * 1024;

/** A worktree of a repository. */
export interface GitWorktree {
  /** The folder of git that belongs to it: outside of what an agent reaches. */
  readonly gitDir: string;
  readonly tree: string;
}

/** Returns the place of a folder within its repository, such as `docs/`. Throws M8328 where there is none with a commit. */
export async function prefixInRepository(folder: string): Promise<string> {
  await git(folder, ["rev-parse", "--verify", "--quiet", "HEAD"]);
  return (await git(folder, ["rev-parse", "--show-prefix"])).trimEnd();
}

/** Makes a worktree of the last commit, without a branch. */
export async function addWorktree(folder: string, tree: string): Promise<GitWorktree> {
  await git(folder, ["worktree", "add", "--quiet", "--detach", tree, "HEAD"]);
  const gitDir = (await git(tree, ["rev-parse", "--absolute-git-dir"])).trimEnd();
  return { gitDir, tree };
}

/** Removes the worktrees whose folders are gone from the list of the repository. */
export async function pruneWorktrees(folder: string): Promise<void> {
  await git(folder, ["worktree", "prune"]);
}

/** Lists the files that git tracks or would add below a folder, and those of them that are deleted. */
export async function listTracked(
  folder: string,
  worktree?: GitWorktree,
): Promise<{ readonly all: readonly string[]; readonly deleted: ReadonlySet<string> }> {
  // An agent may have written another `.git` into its tree.
  const where =
    worktree === undefined ? [] : [`--git-dir=${worktree.gitDir}`, `--work-tree=${worktree.tree}`];
  const list = async (which: readonly string[]) =>
    (await git(folder, [...where, "ls-files", "-z", ...which])).split("\0").filter(Boolean);
  const all = await list(["--cached", "--others", "--exclude-standard"]);
  return { all: [...new Set(all)], deleted: new Set(await list(["--deleted"])) };
}

async function git(cwd: string, args: readonly string[]): Promise<string> {
  const { PATH = "" } = process.env;
  const own = ["-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false"];
  const env = {
    ...{ PATH, LANG: "C.UTF-8", HOME: "/nonexistent" },
    ...{ GIT_CONFIG_NOSYSTEM: "1", GIT_CONFIG_GLOBAL: "/dev/null", GIT_TERMINAL_PROMPT: "0" },
  };
  try {
    const options = { cwd, env, maxBuffer: OUTPUT_BYTES_MAX } as const;
    return (await run("git", [...own, ...args], options)).stdout;
  } catch (cause) {
    const { stderr = "", message } = cause as {
      readonly stderr?: string;
      readonly message: string;
    };
    const reason = stderr.trim().split("\n").at(-1) || message.split("\n")[0];
    throw filesError("M8328", {
      message: `git can make no worktree of "${cwd}": ${reason}`,
      hint: 'a worktree needs git and a commit; `isolate: "copy"` needs neither',
      cause,
    });
  }
}
