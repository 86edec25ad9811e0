import { expect, test } from "vitest";
import { madrigal } from "../support/child.ts";
import { document, greet, hello, put, said, textOf, workspace } from "./calling.ts";

const name = ["--input", '{"name": "Ada"}'];

test("a run tells its nodes, its output, its table and where it is kept", async () => {
  const home = workspace({ "greet.madrigal": greet, "hello.ts": hello });
  expect(await said(home, ["run", "greet.madrigal", ...name])).toMatchInlineSnapshot();
});

test("contract: run --json", async () => {
  const home = workspace({ "greet.madrigal": greet, "hello.ts": hello });
  const { exit, json } = await document(home, ["run", "greet.madrigal", "Greet", ...name]);
  expect(exit).toBe(0);
  expect(json).toMatchInlineSnapshot();
});

test("with --json nothing else is on stdout, whatever the program's TypeScript prints", async () => {
  const loud = 'console.log("loaded");\nexport const hello = (n: string) => (console.log(n), n);\n';
  const home = workspace({ "greet.madrigal": greet, "hello.ts": loud });
  const { stdout, stderr } = await madrigal(["run", "greet.madrigal", ...name, "--json"], { home });
  expect(JSON.parse(stdout)).toMatchObject({ version: 1, status: "succeeded" });
  expect(stderr).toContain("loaded\n");
});

test("contract: run --events prints one event a line", async () => {
  const home = workspace({ "greet.madrigal": greet, "hello.ts": hello });
  const { code, stdout } = await madrigal(["run", "greet.madrigal", ...name, "--events"], { home });
  const kinds = stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line).kind);
  expect(code).toBe(0);
  expect(kinds.slice(0, 3)).toEqual(["run.started", "route.chosen", "attempt.started"]);
  expect(kinds.at(-1)).toBe("run.finished");
});

test("a run that fails says what, where and how to go on; resume goes on with the code as it is then", async () => {
  const broken = 'export const hello = () => { throw new Error("no voice"); };\n';
  const home = workspace({ "greet.madrigal": greet, "hello.ts": broken });
  expect(await said(home, ["run", "greet.madrigal", ...name])).toMatchInlineSnapshot();
  expect(await said(home, ["show", "last"])).toMatchInlineSnapshot();
  expect(await document(home, ["resume", "last"])).toMatchInlineSnapshot();
  put(home, "hello.ts", hello);
  expect(await said(home, ["resume", "last"])).toMatchInlineSnapshot();
  expect(await said(home, ["resume", "last"])).toMatchInlineSnapshot();
  expect(await said(home, ["abort", "last"])).toMatchInlineSnapshot();
});

test("runs and show tell the same of a stored run, as text and as a document", async () => {
  const home = workspace({ "greet.madrigal": greet, "scope.ts": "export {};\n", "hello.ts": hello });
  const words = ["run", "greet.madrigal", "--scope", "scope.ts", "--thread", "t1"];
  await madrigal([...words, "--durability", "sync", ...name], { home });
  expect(await said(home, ["runs", "--graph", "Greet"])).toMatchInlineSnapshot();
  expect(await said(home, ["runs", "--status", "failed"])).toBe("exit 0\nno runs");
  expect(await document(home, ["runs", "--limit", "1"])).toMatchInlineSnapshot();
  expect(await document(home, ["show", "last"])).toMatchInlineSnapshot();
});

test("a reader that closes the pipe early is no fault", async () => {
  const home = workspace({ "greet.madrigal": greet, "hello.ts": hello });
  const command = `"$0" "$1" run greet.madrigal --input '{"name": "Ada"}' | true; echo $?`;
  const { spawnSync } = await import("node:child_process");
  const { projectNode, projectRoot } = await import("../support/child.ts");
  const script = `set -o pipefail; ${command}`;
  const { stdout, stderr } = spawnSync("bash", ["-c", script, projectNode, `${projectRoot}/kernel/madrigal.js`], {
    cwd: home,
    env: { PATH: process.env.PATH, HOME: home, MADRIGAL_HOME: home },
    encoding: "utf8",
  });
  expect({ stdout, stderr }).toEqual({ stdout: "0\n", stderr: "" });
});

test("runs are asked for without leaving a folder where there are none", async () => {
  const home = workspace();
  const ended = await madrigal(["runs"], { home });
  expect(textOf(ended, home)).toBe("exit 0\nno runs");
  const { existsSync } = await import("node:fs");
  expect(existsSync(`${home}/.madrigal`)).toBe(false);
});
