/** A retry is served what the attempt before it was told. */
import { test, vi } from "vitest";
import { expectFound } from "./found.ts";

vi.mock("../../../../runtime/history/journal.ts", async (original) => {
  const real = await original<typeof import("../../../../runtime/history/journal.ts")>();
  class Reusing extends real.Journal {
    static override of(...given: Parameters<typeof real.Journal.of>): Reusing {
      const { pathOf } = paths;
      const journal = new Reusing();
      for (const record of pathOf(given[0])) journal.note(record);
      return journal;
    }
    override outcome(id: number, attempt: number, call: number) {
      return super.outcome(id, attempt, call) ?? super.outcome(id, attempt - 1, call);
    }
  }
  const paths = await import("../../../../runtime/history/log-path.ts");
  return { ...real, Journal: Reusing };
});

test("a planted bug is found within 2,000 schedules: a reused journal after a retry", () => {
  expectFound("a reused journal after a retry", ["L16"]);
});
