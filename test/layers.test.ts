/** Who may import whom, by the linter's own rules, on files that break them. */
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { projectRoot, temporaryFolder } from "./support/child.ts";

/** Whether the linter lets a file with this import stand at `path`. */
function isAllowed(path: string, from: string): boolean {
  const root = temporaryFolder();
  for (const file of ["biome.json", "package.json"])
    cpSync(join(projectRoot, file), join(root, file));
  symlinkSync(join(projectRoot, "node_modules"), join(root, "node_modules"));
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), `import { x } from "${from}";\n\nexport const y = x;\n`);
  const biome = join(projectRoot, "node_modules/@biomejs/biome/bin/biome");
  const args = [biome, "lint", "--vcs-enabled=false", "--only=style/noRestrictedImports", path];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: root,
    encoding: "utf8",
  });
  if (status !== 0 && !stderr.includes("noRestrictedImports")) throw new Error(stdout + stderr);
  return status === 0;
}

test.each([
  ["dsl/check/a.ts", "node:fs"],
  ["dsl/check/a.ts", "../../runtime/index.ts"],
  ["dsl/a.ts", "rxjs"],
  ["runtime/run/a.ts", "../../kernel/index.ts"],
  ["runtime/run/a.ts", "../../dsl/syntax/parse.ts"],
  ["runtime/run/a.ts", "@duckdb/node-api"],
  ["runtime/run/a.ts", "@ai-sdk/openai-compatible"],
  ["runtime/scheduler/a.ts", "rxjs"],
  ["runtime/scheduler/a.ts", "node:crypto"],
  ["runtime/scheduler/a.ts", "../agents/agent.ts"],
  ["runtime/state/a.ts", "../store/open-store.ts"],
  ["runtime/trace/a.ts", "../scheduler/advance.ts"],
  ["runtime/trace/a.ts", "@ai-sdk/openai-compatible"],
  ["runtime/agents/a.ts", "@duckdb/node-api"],
  ["runtime/agents/a.ts", "../trace/trace-store.ts"],
  ["runtime/run/a.ts", "../door/repeated-runs.ts"],
  ["runtime/scheduler/flow/a.ts", "../../door/debugging.ts"],
  ["runtime/trace/sql/a.ts", "../../door/trace-queries.ts"],
  ["runtime/agents/scope/a.ts", "../../door/scopes.ts"],
  ["kernel/a.ts", "../runtime/door/scopes.ts"],
  ["kernel/a.ts", "../runtime/run/run.ts"],
  ["kernel/a.ts", "../dsl/ir/ir.ts"],
  ["kernel/a.ts", "immer"],
  ["kernel/cells/a.ts", "zeromq"],
  ["kernel/cells/a.ts", "typescript-6"],
  ["kernel/cells/a.ts", "typescript/unstable/sync"],
  ["kernel/cells/a.ts", "../cli/output.ts"],
  ["kernel/jupyter/a.ts", "typescript-6"],
  ["kernel/types/a.ts", "zeromq"],
  ["kernel/display/a.ts", "../cli/output.ts"],
  ["kernel/notebook/a.ts", "vega"],
])("A02 %s can't import %s", (path, from) => {
  expect(isAllowed(path, from)).toBe(false);
});

test.each([
  ["dsl/syntax/a.ts", "chevrotain"],
  ["runtime/run/a.ts", "rxjs"],
  ["runtime/scheduler/a.ts", "../../dsl/index.ts"],
  ["runtime/trace/a.ts", "@duckdb/node-api"],
  ["runtime/index.ts", "./door/scopes.ts"],
  ["runtime/agents/models/a.ts", "@ai-sdk/openai-compatible"],
  ["kernel/a.ts", "../runtime/index.ts"],
  ["kernel/jupyter/a.ts", "zeromq"],
  ["kernel/types/a.ts", "typescript-6"],
  ["kernel/types/a.ts", "typescript/unstable/sync"],
  ["kernel/display/chart/a.ts", "vega-lite"],
])("%s can import %s", (path, from) => {
  expect(isAllowed(path, from)).toBe(true);
});
