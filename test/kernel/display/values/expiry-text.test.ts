import { expect, test } from "vitest";
import { check } from "../../../../dsl/index.ts";
import { expiryText } from "../../../../kernel/display/expiry-text.ts";
import type { Interrupt } from "../../../../runtime/index.ts";

const at = Date.UTC(2026, 0, 1, 12);
const hour = 3_600_000;

test.each([
  ["nothing", {}, undefined],
  [
    "reminded",
    { to: "ann", passed: [2, 1], then: [{ to: "ann" }] },
    "ann did not answer until 2026-01-01 11:00:00 UTC, and is asked again; open until 2026-01-01 12:00:00 UTC; then ann is asked again",
  ],
  [
    "passed on",
    { to: "lead", passed: [2, 1] },
    "ann did not answer until 2026-01-01 11:00:00 UTC; lead is asked now; open until 2026-01-01 12:00:00 UTC; then it is denied",
  ],
] as const)(
  "a question that closes by itself says so: %s",
  (_, {
    passed = [],
    ...facts
  }: { to?: string; passed?: readonly number[]; then?: readonly { to: string }[] }, text) => {
    const [ir] = check({ file: "g.madrigal", text: "graph G() { start -> end }" }).graphs;
    if (ir === undefined) throw new Error("no graph");
    const interrupt = {
      ...{ id: "who-0", kind: "input", node: "", nodeRunId: "r", attempt: 1, question: "Pay?" },
      ...facts,
      ...(facts.to === undefined ? {} : { expiresAt: at }),
      passed: passed.map((hours) => ({ to: "ann", until: at - hours * hour })),
    } as Interrupt;
    expect(expiryText(interrupt, { id: "r", ir } as Parameters<typeof expiryText>[1])).toBe(text);
  },
);
