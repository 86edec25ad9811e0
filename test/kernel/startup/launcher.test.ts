/** kernel/madrigal.js on a Node that can't run TypeScript. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { projectNode, projectRoot } from "../../support/child.ts";
import { said, workspace } from "../cli/calling.ts";

/** A Node older than 22.18 of this machine; where there is none, the project's own that says it is one. */
function oldNode(): readonly string[] {
  const found = (process.env.PATH ?? "")
    .split(delimiter)
    .map((folder) => join(folder, "node"))
    .find((path) => existsSync(path) && isOld(path));
  return found === undefined ? [projectNode, "--import", pretending] : [found];
}

const pretending = `data:text/javascript,Object.defineProperty(process,"versions",{value:{...process.versions,node:"20.19.0"}})`;

function isOld(path: string): boolean {
  const { stdout } = spawnSync(path, ["--version"], { encoding: "utf8" });
  const [, major = 0, minor = 0] = (/^v(\d+)\.(\d+)/.exec(stdout) ?? []).map(Number);
  return major < 22 || (major === 22 && minor < 18);
}

function call(script: string, words: readonly string[]) {
  const [node = "", ...options] = oldNode();
  const home = workspace();
  const { status, stdout, stderr } = spawnSync(node, [...options, script, ...words], {
    cwd: home,
    env: { PATH: process.env.PATH, HOME: home, MADRIGAL_HOME: home },
    encoding: "utf8",
  });
  return { status, stdout, stderr };
}

const launcher = join(projectRoot, "kernel", "madrigal.js");

test("contract: on an old Node it runs itself again with the package's own, and keeps the exit code", () => {
  expect(call(launcher, ["--version"])).toEqual({ status: 0, stdout: "0.1.0\n", stderr: "" });
  expect(call(launcher, ["chek"])).toMatchObject({ status: 2, stdout: "" });
});

test("killed, it leaves no engine behind: the run is paused, as by SIGTERM", async () => {
  const home = workspace({
    "waits.madrigal": `import { wait } from "./wait.ts"
graph Waits(word: string) returns out {
  state { out: string }
  run waits = wait(word) writes out
  start -> waits -> end
}
`,
    "wait.ts": `export const wait = async (word: string): Promise<string> => {
  console.log("waiting");
  return await new Promise<string>((resolve) => setTimeout(() => resolve(word), 1e9));
};
`,
  });
  const [node = "", ...options] = oldNode();
  const words = [launcher, "run", "waits.madrigal", "--input", '{"word": "a"}'];
  const child = spawn(node, [...options, ...words], {
    cwd: home,
    env: { PATH: process.env.PATH, HOME: home, MADRIGAL_HOME: home },
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const closed = once(child, "close");
  let text = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk;
      if (chunk.includes("waiting")) child.kill("SIGKILL");
    });
  // What it started has its stdout: it is closed when that one has ended.
  await closed;
  expect(text).toContain("paused: madrigal resume");
  expect(await said(home, ["runs"])).toContain("paused");
});

test("contract: without a newer Node beside it, it says M7001 and exits 4", () => {
  const folder = join(workspace(), "kernel");
  mkdirSync(join(folder, "startup"), { recursive: true });
  for (const file of ["madrigal.js", "startup/start-again.js"])
    copyFileSync(join(dirname(launcher), file), join(folder, file));
  const { status, stderr } = call(join(folder, "madrigal.js"), ["--version"]);
  expect({
    status,
    stderr: stderr.replaceAll(/Node [\d.]+ /g, "Node OLD ").replace(/in \/\S+,/, "in FOLDER,"),
  }).toMatchInlineSnapshot(`
    {
      "status": 4,
      "stderr": "error[M7001]: Node OLD can't run Madrigal, which needs 22.18 or newer, and no newer one is installed beside Madrigal
      hint: run \`npm install\` in FOLDER, or put a newer Node on the PATH
    ",
    }
  `);
});

test("the oldest Node that the README allows is the one that package.json asks npm to warn below", () => {
  const read = (file: string) => readFileSync(join(projectRoot, file), "utf8");
  const [, named] = /Node (\d+\.\d+) or newer; the project/.exec(read("README.md")) ?? [];
  expect(JSON.parse(read("package.json")).engines).toEqual({ node: `>=${named}` });
  const lock = JSON.parse(read("package-lock.json"));
  expect(lock.packages[""].engines).toEqual({ node: `>=${named}` });
});
