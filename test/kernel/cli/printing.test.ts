/** What is printed: on a full disk, with control characters, from stacks, of one graph among others. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { madrigal, projectNode, projectRoot, startMadrigal } from "../../support/child.ts";
import { document, greet, hello, put, said, workspace } from "./calling.ts";

const name = ["--input", '{"name": "Ada"}'];
const asked = `run greet.madrigal --input '{"name": "Ada"}'`;

/** A line of a shell, `madrigal` being a command; its exit code, and what it said of its output. */
function shell(home: string, line: string) {
  const env = { PATH: process.env.PATH, HOME: home, MADRIGAL_HOME: home };
  const script = `"$0" "$1" ${line}`;
  const command = ["-c", script, projectNode, join(projectRoot, "kernel/madrigal.js")];
  const { status, stderr } = spawnSync("bash", command, { cwd: home, env, encoding: "utf8" });
  return { status, lost: stderr.split("\n").filter((text) => text.includes("M7208")) };
}

test.each([`${asked} --json`, asked, "check greet.madrigal", "runs"])(
  "on a full disk, `%s` says once that its output can't be written",
  (words) => {
    const home = workspace({ "greet.madrigal": greet, "hello.ts": hello });
    const { status, lost } = shell(home, `${words} > /dev/full`);
    expect(status).toBe(1);
    const said = /^error\[M7208\]: the output can't be written: ENOSPC.*\(hint: make room/;
    expect(lost).toEqual([expect.stringMatching(said)]);
  },
);

test("with stderr on the full disk too, it ends all the same", () => {
  const home = workspace({ "greet.madrigal": greet, "hello.ts": hello });
  expect(shell(home, `${asked} > /dev/full 2> /dev/full`).status).toBe(1);
});

test("control characters of a value are shown, not sent to the terminal", async () => {
  const value = "\u001b[2Jgone\u0007\u009b \r end\n\tnext \u202egpj \u{e0041}";
  const wild = `export const hello = (_: string) => ${JSON.stringify(value)};\n`;
  const home = workspace({ "greet.madrigal": greet, "hello.ts": wild });
  const shown =
    "greeting:\n\\u001b[2Jgone\\u0007\\u009b \\u000d end\n\tnext \\u202egpj \\udb40\\udc41\n";
  expect(await said(home, ["run", "greet.madrigal", ...name])).toContain(shown);
  expect(await said(home, ["show", "last"])).toContain(shown);
  const { json } = await document(home, ["show", "last"]);
  expect(json).toMatchObject({ output: { greeting: value } });
});

test("a function that throws is shown with its frames in the user's files", async () => {
  const broken = `function deep(): never { throw new Error("no voice"); }
export const hello = (_: string) => deep();
`;
  const home = workspace({ "greet.madrigal": greet, "hello.ts": broken });
  expect(await said(home, ["run", "greet.madrigal", ...name])).toContain(`
!   at node \`greet\`, attempt 1, greet.madrigal:8:3
!     at deep hello.ts:1:32
!     at hello hello.ts:2:37
!   hint: mend \`hello\`: the next attempt calls it as it is then
!   hint: finished work is kept; to continue: madrigal resume RUN`);
  const { json } = await document(home, ["show", "last"]);
  expect(json.error).toMatchObject({ stack: expect.stringContaining("hello.ts:1:32") });
});

test("contract: run --json of a run that a stray exception paused has an error", async () => {
  const stray = `export const hello = async (_: string) => {
  setTimeout(() => { throw new Error("stray"); }, 0);
  return await new Promise<string>(() => {});
};
`;
  const home = workspace({ "greet.madrigal": greet, "hello.ts": stray });
  const { exit, json } = await document(home, ["run", "greet.madrigal", ...name]);
  expect(exit).toBe(1);
  expect(json).toMatchObject({
    status: "paused",
    error: { code: "M7206", message: expect.stringContaining("stray"), node: null, attempt: null },
  });
});

test("a run whose process is gone is lost, until it is resumed", async () => {
  const endless = "export const hello = (_: string) => new Promise<string>(() => {});\n";
  const home = workspace({ "greet.madrigal": greet, "hello.ts": endless });
  const child = startMadrigal(["run", "greet.madrigal", ...name], { home });
  await child.said("greet#1 started");
  child.signal("SIGKILL");
  await child.ended;
  expect(await said(home, ["show", "last"])).toContain("\nstatus: running (lost: resume it)\n");
  const lost = await document(home, ["runs"]);
  expect(lost.json).toMatchObject({ runs: [{ status: "running", lost: true }] });
  put(home, "hello.ts", hello);
  await madrigal(["resume", "last"], { home });
  const resumed = await document(home, ["runs"]);
  expect(resumed.json).toMatchObject({ runs: [{ status: "succeeded", lost: false }] });
});

const graph = (name: string, unused: string) => `graph ${name}(a: string) returns b {
  state {
    b: string
    ${unused}: string = ""
  }
  run go = hello(a) writes b
  start -> go -> end
}
`;

test("run tells the warnings of its graph and of the file, not those of other graphs", async () => {
  const text = `type Unused = { a: string }\n${graph("One", "one")}${graph("Two", "two")}`;
  const home = workspace({ "two.madrigal": text, "scope.ts": hello });
  const words = ["run", "two.madrigal", "Two", "--scope", "scope.ts", "--input", '{"a": "x"}'];
  const { stderr } = await madrigal(words, { home });
  expect(stderr).toMatch(/two\.madrigal:1:/);
  expect(stderr).toContain("`two`");
  expect(stderr).not.toContain("`one`");
});

test("a program that uses docs where there are none is warned", async () => {
  const ask = `graph Ask(a: string) returns b {
  state {
    b: Json
  }
  run go = docs.verify(a) writes b
  start -> go -> end
}
`;
  const home = workspace({ "ask.madrigal": ask });
  const docs = join(home, "nowhere");
  const words = ["run", "ask.madrigal", "--input", '{"a": "x"}'];
  const { stderr } = await madrigal(words, { home, env: { MADRIGAL_DOCS: docs } });
  expect(stderr).toContain(`warning[M7209]: there are no documents in ${docs}\n`);
});
