/** Does a command again, in a process of its own, whenever a file changes that its programs are made of (`--watch`). */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, type FSWatcher, readFileSync, watch } from "node:fs";
import { dirname, resolve } from "node:path";
import { CommandError } from "../command-error.ts";
import { counted } from "../display/visible.ts";
import type { CommandCall } from "./arguments.ts";
import { tell } from "./output.ts";

/** An editor writes a file in several steps. */
const QUIET_MS = 50;
/** The files that a program, or a module, names relative to itself. */
const IMPORTS = /(?:\bfrom|\bimport|\bopenapi\s+\w+\s*=)\s*\(?\s*["'](\.{1,2}\/[^"']+)["']/g;

/** Runs the command of this process without `--watch`, again and again, until the process is ended. Never resolves. */
export async function watchCommand(call: CommandCall): Promise<never> {
  if (call.flag("json"))
    throw new CommandError("M7104", "`--watch` and `--json` exclude each other", {
      hint: "`--json` prints one document, and `--watch` never ends",
    });
  const scope = call.text("scope");
  const named = [...call.arguments, ...(scope === undefined ? [] : [scope])];
  const words = process.argv.slice(2).filter((word) => word !== "--watch");
  for (;;) {
    const before = sourcesOf(named);
    const changes = new SourceWatcher(before);
    const child = startCommand(words);
    const ended = once(child, "exit").then(() => {
      tell(`watching ${counted(before.size, "file")}; Ctrl-C ends it`);
    });
    await changes.next();
    changes.close();
    child.kill();
    await ended;
  }
}

function startCommand(words: readonly string[]): ChildProcess {
  const { href } = new URL("../startup/end-with-launcher.js", import.meta.url);
  const [, command = ""] = process.argv;
  const args = [...process.execArgv, "--import", href, command, ...words];
  return spawn(process.execPath, args, { stdio: ["ignore", "inherit", "inherit"] });
}

/** Returns the texts of the files and of those that they import, by path; undefined for one that is not there. */
function sourcesOf(named: readonly string[]): ReadonlyMap<string, string | undefined> {
  const found = new Map<string, string | undefined>();
  const paths = named.map((file) => resolve(file));
  for (let path = paths.pop(); path !== undefined; path = paths.pop()) {
    if (found.has(path)) continue;
    const text = existsSync(path) ? readFileSync(path, "utf8") : undefined;
    found.set(path, text);
    for (const [, name = ""] of text?.matchAll(IMPORTS) ?? [])
      paths.push(resolve(dirname(path), name));
  }
  return found;
}

/** Notices that one of some files has another text, or comes, or goes. */
class SourceWatcher {
  readonly #sources: ReadonlyMap<string, string | undefined>;
  readonly #watchers: readonly FSWatcher[];
  readonly #changed = Promise.withResolvers<void>();
  #timer: NodeJS.Timeout | undefined;

  constructor(sources: ReadonlyMap<string, string | undefined>) {
    this.#sources = sources;
    // A file that an editor replaces is another one: its folder stays.
    const folders = new Set(
      [...sources.keys()].map(dirname).filter((folder) => existsSync(folder)),
    );
    this.#watchers = [...folders].map((folder) => watch(folder, () => this.#look()));
  }

  /** Resolves at the first change. */
  async next(): Promise<void> {
    this.#look();
    await this.#changed.promise;
  }

  close(): void {
    clearTimeout(this.#timer);
    for (const watcher of this.#watchers) watcher.close();
  }

  #look(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      for (const [path, text] of this.#sources)
        if ((existsSync(path) ? readFileSync(path, "utf8") : undefined) !== text)
          this.#changed.resolve();
    }, QUIET_MS);
  }
}
