/** Temporary folders of processes that were killed. */
import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { makeTemporaryFolder } from "../../kernel/temporary-folder.ts";
import { temporaryFolder } from "../support/child.ts";

test("a new folder takes away those of its kind whose process is gone, and no others", () => {
  const parent = temporaryFolder();
  vi.stubEnv("TMPDIR", parent);
  onTestFinished(() => void vi.unstubAllEnvs());
  const { pid: dead } = spawnSync("true");
  const kept = [
    `madrigal-types-${process.pid}-aaaaaa`,
    `madrigal-kernel-${dead}-aaaaaa`,
    `madrigal-types-${dead}`,
    `other-types-${dead}-aaaaaa`,
  ];
  for (const name of [`madrigal-types-${dead}-aaaaaa`, ...kept]) {
    mkdirSync(join(parent, name));
    writeFileSync(join(parent, name, "file"), "");
  }
  const made = basename(makeTemporaryFolder("types"));
  expect(readdirSync(parent).sort()).toEqual([...kept, made].sort());
  expect(made).toMatch(/^madrigal-types-\d+-/);
});
