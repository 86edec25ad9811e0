/** What a commit sends comes into no inbox. */
import { test, vi } from "vitest";
import { expectFound } from "./found.ts";

vi.mock("../../../../runtime/scheduler/mail.ts", async (original) => {
  const real = await original<typeof import("../../../../runtime/scheduler/mail.ts")>();
  const send: typeof real.send = () => undefined;
  return { ...real, send };
});

test("a planted bug is found within 2,000 schedules: a lost message", () => {
  expectFound("a lost message", ["L4"]);
});
