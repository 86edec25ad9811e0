/** Does what README.md says, in its order, in a folder of its own. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openAiServer } from "./support/openai-server.ts";
import { missing } from "./support/python-env.ts";
import { smallModel } from "./support/small-model.ts";

const withoutModel = await missing("small-model");

const root = join(import.meta.dirname, "..");
const readme = readFileSync(join(root, "README.md"), "utf8");
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "madrigal-readme-"));
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }\n');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Block {
  readonly language: string;
  readonly text: string;
  /** The file it is, named at the end of the line before it. */
  readonly file: string | undefined;
}

const blocks: readonly Block[] = [
  ...readme.matchAll(/(?:`([\w.]+)`:\n\n)?^```(\w+)\n([\s\S]*?)^```$/gm),
].map(([, file, language = "", text = ""]) => ({ language, text, file }));

const commands = blocks
  .filter(({ language }) => language === "sh")
  .flatMap(({ text }) => text.trim().split("\n"));

test("every block is a file of the tour or a list of commands", () => {
  expect(blocks.length).toBeGreaterThan(6);
  for (const { language, file } of blocks) {
    if (language === "sh") expect(file).toBeUndefined();
    else expect(file).toMatch(/\.(madrigal|ts)$/);
  }
});

test("`npm start` and `npm test` are the commands of package.json", () => {
  const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  expect(commands.slice(0, 2)).toEqual(["npm start", "npm test"]);
  expect(scripts.start).toBe("node kernel/prepare.js kernel/start.ts");
  // These very tests are what the other one runs.
  expect(scripts.test).toBe("node kernel/prepare.js test/support/run-tests.ts");
  expect(readFileSync(join(root, ".ci/run"), "utf8")).toContain("npm test");
});

describe("the tour", () => {
  beforeAll(() => {
    for (const { file, text } of blocks) {
      if (file !== undefined) writeFileSync(join(folder, file), text);
    }
  });

  // `lab` serves until it is stopped: test/jupyterlab drives it.
  const isApart = /^(npm |OPENAI_|npx madrigal lab )|models fetch/;
  const local = commands.filter((line) => !isApart.test(line));
  test("has the commands it should", () => expect(local.length).toBeGreaterThanOrEqual(6));

  test.each(local)("%s", async (line) => {
    const { code, stdout, stderr } = await shell(line, folder);
    expect({ code, stderr: code === 0 ? "" : stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).not.toBe("");
  });

  test("what `run` prints tells which kind of model answered, and where everything lies", async () => {
    const line = local.find((command) => command.includes(" run ")) ?? "";
    const { stdout, stderr } = await shell(line, folder);
    const said = stdout + stderr;
    expect(said).toContain("answer_it#1 succeeded");
    expect(said).toMatch(/answer_it .* rules +rules/);
    expect(said).toContain("minisearch");
    expect(said).toContain(join(folder, ".madrigal", "runs.sqlite"));
  });

  test("ask.ts", async () => {
    const { code, stdout, stderr } = await shell("node_modules/.bin/node ask.ts", folder);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain("1 answer_it\n2 emphasize\n");
    expect(stdout).toContain("succeeded");
    expect(stdout).toContain("node: 'answer_it', runs: 1");
  });

  test.skipIf(withoutModel !== undefined)("the model on this machine", async () => {
    const line = commands.find((command) => command.includes("models fetch")) ?? "false";
    const { code, stdout, stderr } = await shell(line, folder, smallModel);
    expect(code, stderr).toBe(0);
    expect(stdout).toMatch(
      /gguf\/smollm2 +MADRIGAL_MODEL +\$0 in, \$0 out +\d+\.\d\ds, \d+ \+ \d+ tokens: /,
    );
  });

  test("the live model", async () => {
    const server = await openAiServer([{ text: "A piece for several voices." }]);
    const line = commands.find((command) => command.startsWith("OPENAI_COMPATIBLE_BASE_URL="));
    const here = line?.replace("http://127.0.0.1:11434/v1", server.url) ?? "false";
    const { code, stdout, stderr } = await shell(here, folder);
    await server.close();
    expect({ code, requests: server.requests.length }).toEqual({ code: 0, requests: 1 });
    expect(stdout + stderr).toContain("A piece for several voices.");
    expect(stdout + stderr).toMatch(/answer_it .* openai-compatible\/llama3.2 +live/);
  });
});

/** Runs one line as a person's shell would, with the project's Node and nothing of this process's environment. */
async function shell(line: string, cwd: string, more: Readonly<Record<string, string>> = {}) {
  const path = `${join(root, "node_modules/node/bin")}:${process.env.PATH}`;
  const env = { PATH: path, HOME: folder, NO_COLOR: "1", ...more };
  const child = spawn("bash", ["-c", line], { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  const [code] = await once(child, "close");
  return { code, stdout, stderr };
}
