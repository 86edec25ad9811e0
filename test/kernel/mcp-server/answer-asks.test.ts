/** Answers of a kernel to its clients: no secret in them, whole or cut, in values or in errors. */
import { expect, test, vi } from "vitest";
import { AskAnswerer } from "../../../kernel/agent-access/answer-asks.ts";
import type { CellExcerpt } from "../../../kernel/agent-access/cell-memory.ts";

const SECRET = "hunter2-quokka-hunter2";

const failing = () => {
  throw new Error(`refused: ${SECRET}`);
};

test.each([
  ["code that is cut", { ask: "cells", last: 1, failed: false }, 1_990, 0],
  ["an output that is cut", { ask: "cells", last: 1, failed: false }, 0, 990],
  ["a whole cell", { ask: "cell", number: 1 }, 10, 10],
  ["a value that is cut", { ask: "values", name: "long" }, 0, 0],
  ["an error", { ask: "runs" }, 0, 0],
] as const)("a secret of the environment is not in %s", async (_, ask, code, output) => {
  vi.stubEnv("VAULT_TOKEN", SECRET);
  const cell: CellExcerpt = {
    ...{ number: 1, status: "ok", cut: 0, code: `${"x".repeat(code)}${SECRET}` },
    outputs: [{ kind: "stdout", text: `${"x".repeat(output)}${SECRET}` }],
  };
  const names = { long: ["x".repeat(19_970), SECRET, "y".repeat(1_000)] };
  const parts = { memory: { cells: [cell] } as never, names, session: failing };
  const text = JSON.stringify(await new AskAnswerer(parts).answer(ask));
  vi.unstubAllEnvs();
  expect(text).toMatch(/x|refused/);
  expect(text).not.toContain("hunter2");
});
