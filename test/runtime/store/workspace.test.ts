import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { workspaceAt, workspaceIn } from "../../../runtime/store/workspace.ts";
import { temporaryFolder } from "./fixtures.ts";

test("contract: the workspace is the nearest ancestor with .madrigal", () => {
  const root = tree({ folders: ["a/.madrigal", "a/b/c"], packages: ["a/b", "."] });
  expect(rootOf(root, "a/b/c")).toBe(join(root, "a"));
  expect(rootOf(root, "a")).toBe(join(root, "a"));
});

test("contract: without one it is the nearest ancestor with package.json", () => {
  const root = tree({ folders: ["a/b/c"], packages: [".", "a/b"] });
  expect(rootOf(root, "a/b/c")).toBe(join(root, "a/b"));
  expect(rootOf(root, "a")).toBe(root);
});

test("contract: without either it is the folder itself", () => {
  const root = tree({ folders: ["a/b"], packages: [] });
  expect(rootOf(root, "a/b")).toBe(join(root, "a/b"));
});

test("contract: MADRIGAL_HOME overrides, and names the folder that holds .madrigal", () => {
  const root = tree({ folders: ["a/.madrigal", "home"], packages: [] });
  const env = { MADRIGAL_HOME: join(root, "home") };
  expect(workspaceAt(join(root, "a"), env)).toEqual({
    root: join(root, "home"),
    dataDir: join(root, "home/.madrigal"),
    runsFile: join(root, "home/.madrigal/runs.sqlite"),
    artifactsDir: join(root, "home/.madrigal/artifacts"),
    tracesDir: join(root, "home/.madrigal/traces"),
    outDir: join(root, "home/.madrigal/out"),
  });
  expect(workspaceAt(join(root, "a"), { MADRIGAL_HOME: "../home" }).root).toBe(join(root, "home"));
  expect(workspaceAt(join(root, "a"), { MADRIGAL_HOME: "" }).root).toBe(join(root, "a"));
});

test("MADRIGAL_HOME may also name `.madrigal` itself", () => {
  const env = { MADRIGAL_HOME: join("elsewhere", ".madrigal/") };
  expect(workspaceAt("/x", env)).toEqual(workspaceIn("/x/elsewhere"));
});

function rootOf(root: string, folder: string): string {
  return workspaceAt(join(root, folder), {}).root;
}

function tree(of: { folders: readonly string[]; packages: readonly string[] }): string {
  const root = temporaryFolder();
  for (const folder of of.folders) mkdirSync(join(root, folder), { recursive: true });
  for (const folder of of.packages) writeFileSync(join(root, folder, "package.json"), "{}");
  return root;
}
