/** How many there are of something, as people read it. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { counted } from "../../../kernel/display/visible.ts";
import { projectRoot } from "../../support/child.ts";

test("one is said as one, many with their thousands", () => {
  expect([0, 1, 2, 12_345].map((count) => counted(count, "run"))).toEqual([
    "0 runs",
    "1 run",
    "2 runs",
    "12,345 runs",
  ]);
  expect(counted(12_345)).toBe("12,345");
});

test("no text of the kernel puts a plural behind a number that may be one", () => {
  const what =
    "runs|nodes|steps|artifacts|bytes|spans|records|files|tests|calls|cells|marks|changes";
  const found = readdirSync(join(projectRoot, "kernel"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .flatMap((name) => {
      const text = readFileSync(join(projectRoot, "kernel", name), "utf8");
      const lines = text.match(new RegExp(`^.*\\$\\{[^}]*\\} (${what})\\b.*$`, "gm")) ?? [];
      return lines.map((line) => `${name}: ${line.trim()}`);
    });
  expect(found).toEqual([]);
});
