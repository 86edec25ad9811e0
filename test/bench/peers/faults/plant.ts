/** Plants each fault into a copy of the letter on both sides, and says who tells it before and in a run. */
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { projectNode, projectRoot } from "../../../support/child.ts";
import { benchFolder } from "../../peers.ts";
import { LIMIT_MS } from "../play.ts";
import { type Change, FAULTS, type ToldBy } from "./faults.ts";

/** Returns the codes of what our check tells of each fault, before anything runs; the letter as it is has none. */
export function checkOurs(): readonly (readonly string[])[] {
  const folder = mkdtempSync(join(tmpdir(), "madrigal-faults-"));
  try {
    const files = plant(folder, "letter.madrigal", ({ ours }) => ours);
    const args = [join(projectRoot, "kernel/madrigal.js"), "check", "--json", ...files];
    const stdout = spawnNode(folder, args);
    const found: readonly { readonly file: string; readonly code: string }[] =
      JSON.parse(stdout).diagnostics;
    return codesOf(files, (file) =>
      found.filter((one) => one.file.endsWith(file)).map(({ code }) => code),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Returns who tells each fault on LangGraph's side, the first of: the compiler of TypeScript, `compile()`, the run. */
export function checkLangGraph(): readonly ToldBy[] {
  const folder = mkdtempSync(join(tmpdir(), "madrigal-faults-"));
  try {
    symlinkSync(join(benchFolder, "node_modules"), join(folder, "node_modules"));
    const files = plant(folder, "letter.js", ({ langgraph }) => langgraph);
    const flags = ["--noEmit", "--allowJs", "--checkJs", "--strict", "--skipLibCheck"];
    const forms = ["--module", "nodenext", "--target", "es2024", "--allowImportingTsExtensions"];
    const tsc = join(projectRoot, "node_modules/typescript/bin/tsc");
    const types = spawnNode(folder, [tsc, ...flags, ...forms, "--pretty", "false", ...files]);
    const errors = codesOf(files, (file) =>
      types.split("\n").filter((line) => line.startsWith(`${file}(`)),
    );
    const script = join(import.meta.dirname, "run-letter.js");
    const runs: readonly ToldBy[] = JSON.parse(
      spawnNode(folder, [script, ...files.map((file) => join(folder, file))]),
    );
    if (runs[0] !== "never") throw new Error("the letter without a fault fails");
    return FAULTS.map((_, index) => (errors[index]?.length ? "types" : (runs[index + 1] ?? "run")));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Writes the letter as it is and with each fault; returns the names of the files. */
function plant(folder: string, name: string, changeOf: (fault: (typeof FAULTS)[number]) => Change) {
  const text = readFileSync(join(import.meta.dirname, name), "utf8");
  cpSync(join(import.meta.dirname, "letter.ts"), join(folder, "letter.ts"));
  return [text, ...FAULTS.map((fault) => changed(text, changeOf(fault)))].map((planted, index) => {
    const file = name.replace("letter", `fault-${index}`);
    writeFileSync(join(folder, file), planted);
    return file;
  });
}

function changed(text: string, change: Change): string {
  return change.reduce((so, [from, to]) => {
    if (!so.includes(from)) throw new Error(`the letter has no ${from}`);
    return so.replace(from, to);
  }, text);
}

/** Returns the findings of each fault. Throws where the program without a fault has one. */
function codesOf(files: readonly string[], toldOf: (file: string) => readonly string[]) {
  const [none = [], ...each] = files.map(toldOf);
  if (none.length > 0) throw new Error(`the letter without a fault is told: ${none.join("; ")}`);
  return each;
}

function spawnNode(cwd: string, args: readonly string[]): string {
  const env = { PATH: process.env.PATH ?? "", HOME: cwd, MADRIGAL_HOME: cwd };
  const bound = { timeout: LIMIT_MS, killSignal: "SIGKILL" } as const;
  const { stdout, signal } = spawnSync(projectNode, args, { cwd, encoding: "utf8", env, ...bound });
  if (signal !== null) throw new Error(`${args[0]} was ended by ${signal}`);
  return stdout;
}
