/** What `madrigal doctor` says of models on this machine: a note where something is missing, else what there is. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { examineLocalModels } from "../../../kernel/local-models/examine-local-models.ts";
import { temporaryFolder } from "../../support/child.ts";

const fetching = "only for models on this machine: run: madrigal models fetch smollm2";

test("package and models are a note each where they are missing, and a line where they are there", () => {
  const home = temporaryFolder();
  const env = { MADRIGAL_HOME: join(home, "work"), MADRIGAL_CACHE: join(home, "cache") };
  const packageFile = "cache/models/node-llama-cpp/node_modules/node-llama-cpp/package.json";
  const put = (name: string, content: string) => {
    mkdirSync(dirname(join(home, name)), { recursive: true });
    writeFileSync(join(home, name), content);
  };
  expect(examineLocalModels(env)).toEqual({
    part: "local models",
    health: "note",
    found: "the package node-llama-cpp is not installed",
    hint: fetching,
  });
  put(packageFile, '{"version":"3.22.1"}');
  const folder = dirname(join(home, packageFile));
  expect(examineLocalModels(env)).toMatchObject({
    health: "note",
    found: `node-llama-cpp 3.22.1 in ${folder}, and no model was fetched`,
    hint: fetching,
  });
  put("cache/models/small/small.gguf", "GGUF");
  expect(examineLocalModels(env)).toEqual({
    part: "local models",
    health: "ok",
    found: `gguf/small (0 MB) by node-llama-cpp 3.22.1 in ${folder}`,
  });
  put(packageFile, '{"version":"2.8.0"}');
  expect(examineLocalModels(env)).toMatchObject({
    health: "note",
    found: expect.stringContaining("node-llama-cpp 2.8.0 in"),
    hint: "only for models on this machine: run: npm install node-llama-cpp@3.22.1",
  });
});
