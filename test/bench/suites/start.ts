/**
 * `npm run bench -- start`: what a user of the installed package waits for before anything happens, beside `node -e 0`, the
 * least that a command on Node can take.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type InstalledPackage, installPackage } from "../../packaging/installed-package.ts";
import { projectNode } from "../../support/child.ts";
import { alternate } from "../alternate.ts";
import type { Keep, Measured, Suite, Tell } from "../suite.ts";

const RUNS = 15;
const BASE = "node -e 0";

interface StartRow {
  readonly name: string;
  readonly args: readonly string[];
  /** At most so many times the base. */
  readonly timesMax: number;
  /** Measured until it writes its first line, not until it ends. */
  readonly untilLine?: true;
  /** With nothing of Madrigal in the caches of node_modules. */
  readonly isFirst?: true;
}

const command = "node_modules/madrigal/kernel/madrigal.js";
const input = '{"n": 41}';

const ROWS: readonly StartRow[] = [
  { name: "--version", args: [command, "--version"], timesMax: 1.6 },
  { name: "--version, first ever", args: [command, "--version"], timesMax: 1.6, isFirst: true },
  { name: "--help", args: [command, "--help"], timesMax: 1.6 },
  { name: "check without types", args: [command, "check", "plain.madrigal"], timesMax: 4 },
  { name: "check with types", args: [command, "check", "typed.madrigal"], timesMax: 14 },
  {
    name: "check with types, first ever",
    args: [command, "check", "typed.madrigal"],
    timesMax: 14,
    isFirst: true,
  },
  {
    name: "run until its first event",
    args: [command, "run", "typed.madrigal", "--input", input],
    timesMax: 8,
    untilLine: true,
  },
  { name: "runs", args: [command, "runs"], timesMax: 4 },
  { name: "show last", args: [command, "show", "last"], timesMax: 4 },
  { name: "import and run a graph", args: ["import.mjs"], timesMax: 4 },
];

const MEMORY = "import and run a graph, memory";

export const startSuite: Suite = {
  measure: async (tell, keep, wanted) => {
    const rows = ROWS.filter(({ name }) => wanted.has(name));
    const hasMemory = wanted.has(MEMORY);
    if (rows.length === 0 && !hasMemory) return;
    tell("bench: building and installing the package");
    const installed = installPackage();
    try {
      writePrograms(installed.folder);
      // The later rows read a run that is stored.
      await ended(installed, [command, "run", "typed.madrigal", "--input", input]);
      for (const row of rows) await measureRow(installed, row, { tell, keep });
      if (hasMemory) keep(await memoryRow(installed));
    } finally {
      rmSync(dirname(installed.folder), { recursive: true, force: true });
    }
  },
};

async function measureRow(
  installed: InstalledPackage,
  { name, args, timesMax, untilLine, isFirst }: StartRow,
  { tell, keep }: { readonly tell: Tell; readonly keep: Keep },
): Promise<void> {
  tell(`bench: ${name}`);
  const cache = join(installed.folder, "node_modules", ".cache");
  const sides = await alternate(
    {
      ours: () => {
        if (isFirst) rmSync(cache, { recursive: true, force: true });
        return untilLine ? untilFirstLine(installed, args) : ended(installed, args);
      },
      base: () => ended(installed, ["-e", "0"]),
    },
    { runs: RUNS, tell: () => {} },
  );
  const base = { name: BASE, values: sides.base };
  keep({ name, unit: "ms", goal: 1 / timesMax, goalOn: "ratio", ours: sides.ours, base });
}

/** The process's memory at its most, in MB. */
async function memoryRow(installed: InstalledPackage): Promise<Measured> {
  const ours: number[] = [];
  for (let run = 0; run < RUNS; run += 1) {
    const { stdout } = start(installed, ["import.mjs", "memory"]);
    let text = "";
    for await (const chunk of stdout) text += chunk;
    ours.push(Number(text) / 1024);
  }
  return { name: MEMORY, unit: "MB", goal: 90, goalOn: "ours", ours };
}

function start({ folder }: InstalledPackage, args: readonly string[]) {
  const { PATH = "", HOME = "" } = process.env;
  return spawn(projectNode, args, {
    cwd: folder,
    env: { PATH, HOME, MADRIGAL_HOME: folder },
    stdio: ["ignore", "pipe", "inherit"],
  });
}

async function ended(installed: InstalledPackage, args: readonly string[]): Promise<number> {
  const begun = performance.now();
  const child = start(installed, args);
  child.stdout.resume();
  const [code] = await once(child, "exit");
  if (code !== 0) throw new Error(`\`${args.join(" ")}\` ended with ${code}`);
  return performance.now() - begun;
}

async function untilFirstLine(
  installed: InstalledPackage,
  args: readonly string[],
): Promise<number> {
  const begun = performance.now();
  const child = start(installed, args);
  await once(child.stdout, "data");
  const took = performance.now() - begun;
  child.stdout.resume();
  await once(child, "exit");
  return took;
}

/** Programs of 40 lines, a function that one of them imports, and a script that imports the package. */
function writePrograms(folder: string): void {
  const plain = graphOfSteps(
    (at, before) => `  agent step${at} { prompt \`say \${${before}}\` model fast writes v${at} }`,
    "string",
  );
  writeFileSync(
    join(folder, "plain.madrigal"),
    `// Forty lines: fourteen agents, one behind the other.\nmodel fast = "openai/gpt-4o-mini"\n\n${plain}`,
  );
  const graph = graphOfSteps(
    (at, before) => `  run step${at} = plusOne(${before}) writes v${at}`,
    "number",
  );
  writeFileSync(
    join(folder, "typed.madrigal"),
    `// Forty lines: fourteen steps that call a function.\nimport { plusOne } from "./plus-one.ts"\n\n${graph}`,
  );
  const plusOne = "export function plusOne(n: number): number {\n  return n + 1;\n}\n";
  writeFileSync(join(folder, "plus-one.ts"), plusOne);
  writeFileSync(
    join(folder, "import.mjs"),
    `import { compile } from "madrigal";
const { Steps } = compile(${JSON.stringify(graph)}, { scope: { plusOne: (n) => n + 1 } });
const { v13 } = await Steps.run({ n: 41 }, { store: "none" }).output;
if (v13 !== 55) throw new Error("a wrong result");
if (process.argv[2] === "memory") console.log(process.resourceUsage().maxRSS);
`,
  );
}

function graphOfSteps(step: (at: number, before: string) => string, type: string): string {
  const numbers = [...Array(14).keys()];
  return [
    "graph Steps(n: number) returns v0, v13 {",
    ...["  state {", ...numbers.map((at) => `    v${at}: ${type}`), "  }"],
    ...["", ...numbers.map((at) => step(at, at === 0 ? "n" : `v${at - 1}`)), ""],
    ...[`  start -> ${numbers.map((at) => `step${at}`).join(" -> ")} -> end`, "}", ""],
  ].join("\n");
}
