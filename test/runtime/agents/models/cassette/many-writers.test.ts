/** Several processes record into one file, and some are killed: every whole line can be read. */
import { appendFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { CassetteFile } from "../../../../../runtime/agents/models/cassette/cassette-file.ts";
import { startNode, temporaryFolder } from "../../../../support/child.ts";

const script = join(import.meta.dirname, "recording-child.ts");

test("what several processes record at once stands in whole lines, also of those that are killed", async () => {
  const home = temporaryFolder();
  const path = join(home, "calls.jsonl");
  const endless = startNode([script, path, "endless"], { home });
  const others = ["a", "b"].map((name) => startNode([script, path, name, "10"], { home }));
  await endless.said("recording");
  for (const { ended } of others) expect((await ended).code).toBe(0);
  endless.signal("SIGKILL");
  await endless.ended;
  // As a kill in the middle of a write leaves it.
  appendFileSync(path, readFileSync(path, "utf8").slice(0, 5_000));
  const last = startNode([script, path, "last", "4"], { home });
  expect((await last.ended).code).toBe(0);
  const warn = vi.spyOn(process, "emitWarning").mockImplementation(() => {});
  const entries = new CassetteFile(path).entries();
  expect(warn).toHaveBeenCalledTimes(1);
  warn.mockRestore();
  const asked = entries.map(
    ({ call }) => String(call.request.messages[0]?.content).split(" ", 1)[0],
  );
  const count = (name: string) => asked.filter((one) => one === name).length;
  expect([count("a"), count("b"), count("last")]).toEqual([10, 10, 4]);
  expect(count("endless")).toBeGreaterThan(3);
});
