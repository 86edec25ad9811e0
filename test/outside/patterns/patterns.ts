/** Plays the workflow patterns with SpiffWorkflow, by the specifications of its own tests, and compares the paths with ours. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expectedPath, PATTERNS, type Pattern } from "../../ports/patterns/patterns.ts";
import { projectRoot } from "../../support/child.ts";
import { pythonWith } from "../python-packages.ts";
import { markdownTable } from "../table.ts";

const PACKAGES = { name: "patterns", packages: ["SpiffWorkflow==3.2.0", "lxml==6.0.2"] };
const SOURCE = "https://github.com/sartography/SpiffWorkflow";
const COMMIT = "8c6e00f6e2d85d93a1022341f4c479f23fbb0f41";
const PROGRAMS = join(projectRoot, "test", "ports", "patterns");

/** One task that was completed; those behind it in the tree are deeper. */
interface TakenTask {
  readonly depth: number;
  readonly name: string;
  /** The class of its specification. */
  readonly kind: string;
}

/** What came of one specification. */
export interface PlayedSpec {
  readonly name: string;
  readonly isCompleted: boolean;
  readonly taken: readonly TakenTask[];
  readonly kinds: Readonly<Record<string, string>>;
}

/** Returns whether all patterns that have a specification come to the same tasks, in an order that both allow. */
export async function runPatterns(tell: (text: string) => void): Promise<boolean> {
  const compared = PATTERNS.filter(({ spec }) => spec !== undefined);
  const python = pythonWith(PACKAGES);
  const played = playSpecs(
    python,
    compared.map(({ spec = "" }) => spec),
  );
  const tested = spawnSync(
    process.execPath,
    [join(projectRoot, "kernel", "madrigal.js"), "test", ...programFiles()],
    { encoding: "utf8", cwd: PROGRAMS },
  );
  tell(tested.stdout.split("\n").at(-2) ?? "");
  const rows = PATTERNS.map((pattern) => {
    const spec = played.find(({ name }) => name === pattern.spec);
    const result =
      spec === undefined ? `not compared: ${pattern.apart}` : comparePaths(pattern, spec);
    return [pattern.number, pattern.name, result] as const;
  });
  tell(markdownTable(["", "pattern", "beside SpiffWorkflow"], rows));
  const count = (text: string) => rows.filter(([, , result]) => result.startsWith(text)).length;
  tell(`${count("same")} of ${compared.length} the same, ${count("not compared")} not compared`);
  return tested.status === 0 && count("same") === compared.length;
}

function programFiles(): readonly string[] {
  const names = PATTERNS.flatMap(({ program }) => program.split("#")[0] ?? []);
  return [...new Set(names)].map((name) => `${name}.madrigal`);
}

/** Compares the names that both have: those of plain tasks and of joins. */
export function comparePaths({ number, program }: Pattern, spec: PlayedSpec): string {
  const [file = "", graph = ""] = program.split("#");
  const text = readFileSync(join(PROGRAMS, `${file}.madrigal`), "utf8");
  const ours = nodesOf(text, graph);
  const missing = spec.taken.filter(
    ({ name, kind }) => kind === "Simple" && name !== "End" && !ours.has(name),
  );
  if (missing.length > 0)
    return `differs: ours has no ${missing.map(({ name }) => name).join(", ")}`;
  const isShared = (name: string) =>
    ours.has(name) && /^(?:Simple|Join)$/.test(spec.kinds[name] ?? "");
  const theirPath = spec.taken.filter(({ name }) => isShared(name));
  const ourPath = expectedPath(text, number).filter(isShared);
  const theirNames = theirPath.map(({ name }) => name);
  if (ourPath.join() === theirNames.join())
    return `same: ${ourPath.length} tasks in the same order`;
  if (ourPath.toSorted().join() !== theirNames.toSorted().join())
    return `differs: ours ${ourPath.join(" ")}, theirs ${theirNames.join(" ")}`;
  const before = predecessorsOf(theirPath);
  const broken = ourPath.filter((name, at) => {
    const names = before.get(name) ?? new Set();
    return !names.has(START) && !ourPath.slice(0, at).some((one) => names.has(one));
  });
  if (broken.length > 0) return `differs: ${broken.join(", ")} came before what leads to it there`;
  return `same: ${ourPath.length} tasks, side by side in another order`;
}

const START = "start";

/** Returns the tasks that lead to each task: the next ones above it in the tree. */
function predecessorsOf(path: readonly TakenTask[]): ReadonlyMap<string, ReadonlySet<string>> {
  const above: TakenTask[] = [];
  const found = new Map<string, Set<string>>();
  for (const task of path) {
    while ((above.at(-1)?.depth ?? -1) >= task.depth) above.pop();
    const names = found.get(task.name) ?? new Set<string>();
    found.set(task.name, names.add(above.at(-1)?.name ?? START));
    above.push(task);
  }
  return found;
}

function nodesOf(text: string, graph: string): ReadonlySet<string> {
  const [, rest = ""] = text.split(`graph ${graph}(`);
  const [body = ""] = rest.split("\n}\n");
  return new Set(
    [...body.matchAll(/^ {2}(?:run|human|graph) (\w+)/gm)].map(([, name = ""]) => name),
  );
}

function playSpecs(python: string, names: readonly string[]): readonly PlayedSpec[] {
  const script = join(import.meta.dirname, "run_patterns.py");
  const folder = join(checkout(), "tests", "SpiffWorkflow", "core", "data", "control-flow");
  const { status, stdout, stderr } = spawnSync(python, [script, folder, ...names], {
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`run_patterns.py ended with ${status}: ${stderr}`);
  return stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as PlayedSpec);
}

/** Returns a clone of SpiffWorkflow's repository, since its package comes without its tests. */
function checkout(): string {
  const given = process.env.SPIFFWORKFLOW_CLONE;
  if (given !== undefined) return given;
  const folder = join(
    projectRoot,
    "node_modules",
    ".cache",
    "madrigal",
    "outside",
    "spiffworkflow",
  );
  const git = (...args: readonly string[]) => {
    const { status, stderr } = spawnSync("git", ["-C", folder, ...args], { encoding: "utf8" });
    if (status !== 0)
      throw new Error(`${SOURCE} can't be fetched; name a clone by SPIFFWORKFLOW_CLONE: ${stderr}`);
  };
  if (existsSync(join(folder, "tests"))) return folder;
  mkdirSync(folder, { recursive: true });
  git("init", "--quiet");
  git("fetch", "--quiet", "--depth", "1", SOURCE, COMMIT);
  git("checkout", "--quiet", "FETCH_HEAD");
  return folder;
}
