/** Nothing depends on what a person calls a folder: commands and notebooks in folders whose names are hard to parse. */
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { readNotebook } from "../../../kernel/notebook/read-notebook.ts";
import { madrigal } from "../../support/warm/madrigal.ts";
import { fileOf, shown } from "../notebook/cells.ts";
import { exitCode, put, said, workspace } from "./calling.ts";

// Real kernels on a busy machine.
vi.setConfig({ testTimeout: 180_000 });

const HARD_FOLDERS = [
  "a.b",
  // Each of these is a folder of its own below the one before.
  join("with space", "ünï", "x.ts", "node_modules.bak", "100%20 #h", "it's [x]* {y}", "k=v (2)"),
  "x".repeat(200),
];

const files = {
  "package.json": "{}",
  "shout.ts": `export const shout = (text: string): string => text.toUpperCase();
export function fail(text: string): string {
  throw new Error(\`no \${text}\`);
}
`,
  "old.cts": `exports.old = function old(text: string): string { throw new Error("old " + text); };\n`,
  "inner.madrigal": `import { shout } from "./shout.ts"
graph Inner(word: string) returns loud {
  state { loud: string }
  run aloud = shout(word) writes loud
  start -> aloud -> end
}
`,
  "ask.madrigal": `import { Inner } from "./inner.madrigal"
graph Ask(word: string) returns loud {
  state { loud: string }
  graph inner = Inner(word) writes loud
  start -> inner -> end
}
test "it asks" of Ask {
  given word = "a"
  inner says "B"
  expect loud == "B"
}
`,
  "fails.madrigal": `import { fail } from "./shout.ts"
graph Fails(word: string) returns loud {
  state { loud: string }
  run aloud = fail(word) writes loud
  start -> aloud -> end
}
`,
  "fails-too.madrigal": `import { old } from "./old.cts"
graph FailsToo(word: string) returns loud {
  state { loud: string }
  run aloud = old(word) writes loud
  start -> aloud -> end
}
`,
  "n.ipynb": fileOf(
    'import { shout } from "./shout.ts";\nshout("a")',
    '(await import("./shout.ts")).shout("b")',
    'import { shout } from "./shout.ts"\ngraph G(word: string) returns loud {\n  state { loud: string }\n  run aloud = shout(word) writes loud\n  start -> aloud -> end\n}',
    '(await G.run({ word: "c" }).output).loud',
    'import { sql } from "madrigal";\nconst rows = await sql`SELECT graph, status FROM runs ORDER BY ts`;\nawait rows.parquet("rows.parquet");\nrows.map(({ graph }) => graph)',
    'import { fail } from "./shout.ts";\nfail("d");',
  ),
};

/** A workspace in a folder of this name. */
function hardWorkspace(name: string): string {
  const home = join(workspace(), name);
  mkdirSync(home, { recursive: true });
  for (const [file, content] of Object.entries(files)) put(home, file, content);
  return home;
}

test.each(HARD_FOLDERS)("commands do in the folder `%s` what they do elsewhere", async (name) => {
  const home = hardWorkspace(name);
  const input = ["--input", '{"word": "hey"}'];
  expect(await said(home, ["check", "ask.madrigal"])).toMatch(/^exit 0\n1 file: 0 errors/);
  expect(await said(home, ["test", "ask.madrigal"])).toMatch(/^exit 0\n.*1 passed, 0 failed/s);
  const ran = await said(home, ["run", "ask.madrigal", ...input]);
  expect(ran).toMatch(/^exit 0\n.*HEY.*\ntrace: HOME\/\.madrigal\/traces\/live-cli\.duckdb$/s);
  const failed = await said(home, ["run", "fails.madrigal", ...input]);
  expect(failed).toMatch(/^exit 1\n.*no hey\n.* at fail shout\.ts:3:9\n/s);
  // TypeScript sees no exports in a module that is CommonJS.
  const failedToo = await said(home, ["run", "fails-too.madrigal", "--no-types", ...input]);
  expect(failedToo).toMatch(/^exit 1\n.*old hey\n.* at \S*old old\.cts:1:\d+\n/s);
  expect(await said(home, ["trace", "compact"])).toMatch(/^exit 0\n3 files .* became 1/);
  expect(await said(home, ["show", "last"])).toMatch(/^exit 0\n/);
  expect(await said(home, ["report", "last"])).toMatch(/^exit 0\nreport: HOME\/\.madrigal\/out/);
  expect(await said(home, ["export", "last"])).toMatch(/^exit 0\n\S+ is in \S+\.madrigal-run/);
});

test.each(HARD_FOLDERS)("a notebook runs in the folder `%s`", async (name) => {
  const home = hardWorkspace(name);
  const ended = await madrigal(["exec", "n.ipynb", "--html"], { home });
  expect({ exit: exitCode(ended), stderr: ended.stderr }).toMatchObject({ exit: 1 });
  const file = join(home, ".madrigal/out/n.ipynb");
  const cells = shown(readNotebook(readFileSync(file, "utf8"), file));
  const values = cells.split("\n").filter((line) => !/^\[|display_data/.test(line));
  expect(values.slice(0, -1)).toEqual([
    `  execute_result: "'A'"`,
    `  execute_result: "'B'"`,
    String.raw`  execute_result: "graph G(word) returns loud\n  run aloud\n  start -> aloud\n  aloud -> end"`,
    `  execute_result: "'C'"`,
    `  execute_result: "[ 'G' ]"`,
  ]);
  expect(values.at(-1)).toBe("  error: Error: no d");
  expect(readFileSync(join(home, ".madrigal/out/n.html"), "utf8")).toContain("</html>");
});
