/** Calls that can't be right: what is said, and the exit code. */
import { chmodSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { startNode } from "../../support/child.ts";
import { madrigal } from "../../support/warm/madrigal.ts";
import { document, greet, hello, said, workspace } from "./calling.ts";

const two =
  "graph One() returns a {\n  state { a: string }\n  run f = g() writes a\n  start -> f\n}\n";

const files = {
  "greet.madrigal": greet,
  "hello.ts": `${hello}export const g = () => "g";\n`,
  "live.madrigal": greet.replace('"rules"', '"openai/gpt-4o"'),
  "pair.madrigal": `import { g } from "./hello.ts"\n${two}${two.replace("One", "Two")}`,
  "syntax.madrigal": greet.replace("-> wish", "-> -> wish"),
  "name.madrigal": greet.replace("-> wish", "-> wihs"),
  "tool.madrigal": greet.replace("= hello", "= helo"),
  "program.madrigal": greet.replace("./hello.ts", "./greet.madrigal"),
  "gone.madrigal": greet.replace("./hello.ts", "./gone.ts"),
  "export.madrigal": greet.replaceAll("hello }", "helo }"),
  "empty.madrigal": "",
  "types.madrigal": "type A = { b: string }\n",
  "picture.madrigal": Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0, 0, 0xff),
};

const name = ["--input", '{"name": "Ada"}'];

const calls: readonly (readonly string[])[] = [
  [],
  ["chek"],
  ["lsp"],
  ["fmt"],
  ["fmt", "-", "greet.madrigal"],
  ["fmt", "hello.ts", "missing.madrigal", "picture.madrigal"],
  ["check", "greet.madrigal", "--jsn"],
  ["check"],
  ["check", "greet.madrigal", "--json=yes"],
  ["show", "last", "again"],
  ["runs", "--limit", "many"],
  ["runs", "--limit"],
  ["runs", "--status", "succeded"],
  ["explain", "M21011"],
  ["graph", "pair.madrigal", "--svg"],
  ["graph", "greet.madrigal"],
  ["run", "gone/greet.madrigal"],
  ["run", "folder"],
  ["run", "picture.madrigal"],
  ["run", "empty.madrigal"],
  ["run", "types.madrigal"],
  ["run", "syntax.madrigal", ...name],
  ["run", "name.madrigal", ...name],
  ["run", "tool.madrigal", ...name],
  ["run", "program.madrigal", ...name],
  ["run", "gone.madrigal", ...name],
  ["run", "export.madrigal", ...name],
  ["run", "pair.madrigal"],
  ["run", "greet.madrigal", "Gret"],
  ["run", "greet.madrigal"],
  ["run", "greet.madrigal", "--input", "{name}"],
  ["run", "greet.madrigal", "--input", "[]"],
  ["run", "greet.madrigal", "--input", "@gone.json"],
  ["run", "greet.madrigal", "--model", "rules"],
  ["run", "greet.madrigal", "--model", "n=rules", ...name],
  ["run", "greet.madrigal", "--model", "m=rulez", ...name],
  ["run", "greet.madrigal", "--durability", "never"],
  ["run", "greet.madrigal", "--scope", "gone.ts"],
  ["run", "live.madrigal", ...name],
  ["resume", "0123"],
  ["runs", "prune", "--older-than", "long"],
  ["runs", "prune", "--keep", "some"],
  ["trace", "prune", "--older-than", "1y"],
  ["import", "--listen", "http"],
  ["import", "greet.madrigal", "--copy", "--replace"],
  ["run", "greet.madrigal", "--json", "--events"],
];

test("each of them has its code, its sentence and its exit code", async () => {
  const home = workspace(files);
  mkdirSync(join(home, "folder"));
  const script = ["test/kernel/cli/many-calls.ts", home, JSON.stringify(calls)];
  const { stdout } = await startNode(script, { home }).ended;
  const said: readonly string[] = JSON.parse(stdout.replaceAll(home, "HOME"));
  const shown = calls.map((words, index) => `madrigal ${words.join(" ")}\n${said[index]}`);
  expect(shown.join("\n\n")).toMatchSnapshot();
});

test("contract: --json and --events exclude each other", async () => {
  const home = workspace(files);
  const words = ["run", "greet.madrigal", "--events"];
  expect(await document(home, words)).toMatchObject({
    exit: 2,
    json: { error: { code: "M7104" } },
  });
});

test("contract: a call that can't be right is one document with --json, and exits 2", async () => {
  const home = workspace(files);
  expect(await document(home, ["explain", "M0"])).toMatchInlineSnapshot(`
    {
      "exit": 2,
      "json": {
        "error": {
          "attempt": null,
          "code": "M7106",
          "hint": "codes look like M2101",
          "message": "there is no code \`M0\`",
          "node": null,
        },
        "version": 1,
      },
    }
  `);
});

test("contract: with --json a run that never began has an error and no run", async () => {
  const home = workspace(files);
  expect(await document(home, ["run", "name.madrigal"])).toMatchInlineSnapshot(`
    {
      "exit": 1,
      "json": {
        "cost_usd": 0,
        "duration_ms": 0,
        "error": {
          "attempt": null,
          "code": "M5002",
          "hint": "\`madrigal check name.madrigal\` shows all that is wrong with it",
          "line": 10,
          "message": "\`name.madrigal\` can't run: M2101 no node is called \`wihs\`",
          "node": null,
        },
        "graph": null,
        "graph_hash": null,
        "interrupts": [],
        "model_sources": [],
        "output": null,
        "reason": null,
        "run_id": null,
        "state": null,
        "status": null,
        "steps": 0,
        "thread_id": null,
        "tokens": {
          "input": 0,
          "output": 0,
        },
        "version": 1,
      },
    }
  `);
});

test("runs that somebody else may not see are told as such, not as none", async () => {
  const home = workspace(files);
  await madrigal(["run", "greet.madrigal", ...name], { home });
  chmodSync(join(home, ".madrigal"), 0);
  onTestFinished(() => chmodSync(join(home, ".madrigal"), 0o700));
  // Root may look anywhere.
  const someone = process.getuid?.() === 0 ? { uid: 65534 } : {};
  chmodSync(home, 0o755);
  for (const args of [["runs"], ["show", "last"], ["chart", "tokens"], ["trace", "rebuild"]]) {
    expect(await said(home, args, someone)).toMatch(/^exit 1\n! error\[M5101\]: `HOME\/\.madrigal/);
  }
});

test("a workspace that can't be written is told before anything runs", async () => {
  const home = workspace(files);
  chmodSync(home, 0o555);
  // Root may write anywhere.
  const someone = process.getuid?.() === 0 ? { uid: 65534 } : {};
  expect(await said(home, ["run", "greet.madrigal", ...name], someone)).toMatchInlineSnapshot(`
    "exit 1
    ! error[M5101]: \`HOME/.madrigal\` can't be written
    !   hint: make it writable, or set MADRIGAL_HOME to a folder that is"
  `);
});
