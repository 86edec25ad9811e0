/** Traces whose disk is full, a real one: a file system of its own, which the writing process alone sees. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { canMount, startChild } from "../../store/start-child.ts";
import { newFolder } from "../store.ts";

// Where no process may mount, ingest.test.ts has a fault put into DuckDB instead.
describe.runIf(canMount())("a full disk of their own", () => {
  test("the runs end as if there were room, and what is missing is there once there is some", async () => {
    const home = newFolder();
    const folder = join(home, ".madrigal", "traces");
    mkdirSync(folder, { recursive: true });
    const program = join(import.meta.dirname, "full-disk-child.ts");
    const child = startChild([home], { program, disk: { folder, bytesMax: 40_000_000 } });
    const said = async () => JSON.parse(await child.line());
    // Scores are in runs.sqlite, where there is room: the disk of the traces can't lose them.
    const scores = 100_000;
    expect(await said()).toEqual({
      succeeded: 20,
      score: "written",
      scores,
      codes: ["M6005"],
      runs: 0,
    });
    const withRoom = { codes: ["M5438", "M6005"], runs: 20, scores };
    expect(await said()).toEqual(withRoom);
    expect(await said()).toEqual(withRoom);
    await child.gone();
  });
});
