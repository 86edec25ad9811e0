/** TypeScript 7's program is used only where it can be executed. */
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { findNativeProgram } from "../../../../kernel/types/native/find-native-program.ts";
import { temporaryFolder } from "../../../support/child.ts";

/** Installs an empty program for this system; returns the manifest of the TypeScript beside it. */
function installed(mode: number): { readonly manifest: string; readonly program: string } {
  const modules = join(temporaryFolder(), "node_modules");
  const folder = join(modules, `@typescript/typescript-${process.platform}-${process.arch}`);
  mkdirSync(join(folder, "lib"), { recursive: true });
  mkdirSync(join(modules, "typescript"));
  const manifest = join(modules, "typescript", "package.json");
  for (const path of [manifest, join(folder, "package.json")]) writeFileSync(path, "{}");
  const program = join(folder, "lib", "tsc");
  writeFileSync(program, "");
  chmodSync(program, mode);
  return { manifest, program };
}

test("it is the one that npm installed", () => {
  expect(findNativeProgram()).toMatch(/@typescript\/typescript-[^/]+\/lib\/tsc$/);
});

test("a program that may be executed is found", () => {
  const { manifest, program } = installed(0o755);
  expect(findNativeProgram(manifest)).toBe(program);
});

test("a program that may not be executed is refused", () => {
  const { manifest } = installed(0o644);
  expect(() => findNativeProgram(manifest)).toThrow(/EACCES/);
});

test("a system without a program is refused", () => {
  const manifest = join(temporaryFolder(), "package.json");
  writeFileSync(manifest, "{}");
  expect(() => findNativeProgram(manifest)).toThrow(/Cannot find module/);
});
