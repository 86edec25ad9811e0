/** Now and then the last patch of a commit is lost. */
import { test, vi } from "vitest";
import { expectFound } from "./found.ts";

vi.mock("../../../../runtime/scheduler/advance.ts", async (original) => {
  const real = await original<typeof import("../../../../runtime/scheduler/advance.ts")>();
  return {
    ...real,
    advance: (...given: Parameters<typeof real.advance>) => tampered(real.advance(...given)),
  };
});

type Advance = ReturnType<typeof import("../../../../runtime/scheduler/advance.ts").advance>;

function tampered(result: Advance): Advance {
  const records = result.records.map((record) =>
    record.kind === "commit" && record.step % 3 === 0
      ? { ...record, patches: record.patches.slice(0, -1) }
      : record,
  );
  return { ...result, records };
}

test("a planted bug is found within 2,000 schedules: a dropped patch", () => {
  expectFound("a dropped patch", ["L2"]);
});
