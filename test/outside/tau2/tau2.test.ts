/** A sample of tau2: two tasks, killed at each of their calls, with a person who looks and with one who does not. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { pythonWith, startToolServer, type ToolServer } from "../python-packages.ts";
import { playTask } from "./play.ts";
import { TAU2_PACKAGES, TAU2_SCRIPT } from "./tau2.ts";

let server: ToolServer;
beforeAll(async () => {
  server = await startToolServer(pythonWith(TAU2_PACKAGES), TAU2_SCRIPT);
});
afterAll(() => server.close());

const FLIGHTS = { domain: "airline", task: "2" };
const ORDERS = { domain: "retail", task: "0" };

test.each([FLIGHTS, ORDERS])(
  "$domain $task, killed at each call, does each change once and leaves the same database",
  async (task) => {
    const played = await playTask(server, task);
    expect(played).toMatchObject({ wrong: 0, isRight: true, isEqual: true });
    expect(played.kills).toBe(played.calls);
  },
);

test("a person who has every call in doubt made again does a change twice, and that is found", async () => {
  const { wrong, isRight, isEqual } = await playTask(server, FLIGHTS, "careless");
  expect({ wrong, isRight, isEqual }).toEqual({ wrong: 1, isRight: true, isEqual: false });
});
