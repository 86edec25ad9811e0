/** What a model on this machine needs: where it is looked for, and what is said when it is not there. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  defaultThreads,
  findLlama,
  ggufFile,
  LLAMA_PACKAGE,
  LLAMA_VERSION,
} from "../../../../../runtime/agents/models/local/local-place.ts";
import { resolveModel } from "../../../../../runtime/agents/models/model.ts";
import { projectRoot, temporaryFolder } from "../../../../support/child.ts";

/** A workspace and a cache with these files. */
function machine(files: Readonly<Record<string, string>>) {
  const folder = temporaryFolder();
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(join(folder, name, ".."), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  const env = { MADRIGAL_HOME: join(folder, "work"), XDG_CACHE_HOME: join(folder, "caches") };
  return { folder, env };
}

const cache = "caches/madrigal/models";
const inCache = `${cache}/node-llama-cpp/node_modules/node-llama-cpp/package.json`;

test("a path begins at the workspace, a name is a fetched model, an absolute path is itself", () => {
  const { folder, env } = machine({
    "work/models/mine.gguf": "GGUF",
    [`${cache}/tiny/Tiny.gguf`]: "GGUF",
    [`${cache}/half.part/Half.gguf`]: "GGUF",
  });
  const mine = join(folder, "work/models/mine.gguf");
  expect(ggufFile("models/mine.gguf", env)).toBe(mine);
  expect(ggufFile(mine, env)).toBe(mine);
  expect(ggufFile("tiny", env)).toBe(join(folder, cache, "tiny/Tiny.gguf"));
  expect(ggufFile("tiny", { MADRIGAL_CACHE: join(folder, "caches/madrigal") })).toBe(
    join(folder, cache, "tiny/Tiny.gguf"),
  );
});

test.each([
  [
    "gguf/smollm2",
    "M8141",
    "HOME/caches/madrigal/models/smollm2",
    "`npx madrigal models fetch smollm2`",
  ],
  [
    "gguf/models/no.gguf",
    "M8141",
    "there is no HOME/work/models/no.gguf",
    "begins at the workspace",
  ],
  ["gguf/page.gguf", "M8142", "HOME/work/page.gguf is not a GGUF file", "web page"],
  ["gguf/short.gguf", "M8142", "HOME/work/short.gguf is not a GGUF file", "web page"],
  [
    "gguf/mine.gguf",
    "M8140",
    "the package node-llama-cpp is not installed",
    "models fetch smollm2",
  ],
])("%s is %s, before anything runs", (id, code, message, hint) => {
  const { folder, env } = machine({
    "work/page.gguf": "<html>",
    "work/short.gguf": "GG",
    "work/mine.gguf": "GGUF",
  });
  expect(() => resolveModel(id, { env })).toThrow(
    expect.objectContaining({
      code,
      message: expect.stringContaining(message.replace("HOME", folder)),
      hint: expect.stringContaining(hint),
    }),
  );
});

test("another major version of the package is not used", () => {
  const { env } = machine({ "work/mine.gguf": "GGUF", [inCache]: '{"version":"2.8.0"}' });
  expect(() => resolveModel("gguf/mine.gguf", { env })).toThrow(
    expect.objectContaining({
      code: "M8140",
      message: expect.stringMatching(/node-llama-cpp in .* is version 2\.8\.0, not 3\.x$/),
    }),
  );
});

test("the package is an optional peer of Madrigal's, in the major version that is used", () => {
  const { peerDependencies, peerDependenciesMeta } = JSON.parse(
    readFileSync(join(projectRoot, "package.json"), "utf8"),
  );
  expect(peerDependencies[LLAMA_PACKAGE]).toBe(`^${LLAMA_VERSION.split(".")[0]}.0.0`);
  expect(peerDependenciesMeta[LLAMA_PACKAGE]).toEqual({ optional: true });
});

test("the project's package comes before the fetched one", () => {
  const { folder, env } = machine({
    "work/mine.gguf": "GGUF",
    "work/node_modules/node-llama-cpp/package.json": '{"version":"3.1.0"}',
    [inCache]: '{"version":"3.22.1"}',
  });
  expect(findLlama(env)).toMatchObject({ version: "3.1.0", from: "project" });
  expect(findLlama({ ...env, MADRIGAL_HOME: folder })).toMatchObject({ from: "cache" });
  expect(resolveModel("gguf/mine.gguf", { env })).toMatchObject({
    id: "gguf/mine.gguf",
    source: "live",
    price: { input: 0, output: 0 },
  });
});

test("a core is left free", () => {
  expect(defaultThreads()).toBe(Math.max(1, availableParallelism() - 1));
});
