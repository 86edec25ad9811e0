/** Traces whose disk is full, a real one: a file system of its own, which the writing process alone sees. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { canMount, startChild } from "../../store/start-child.ts";
import { newFolder } from "../store.ts";

// Where no process may mount, ingest.test.ts has a fault put into DuckDB instead.
describe.runIf(canMount())("a full disk of their own", () => {
  test("the runs end as if there were room, and what is missing is there once there is some", {
    timeout: 60_000,
  }, async () => {
    const home = newFolder();
    const folder = join(home, ".madrigal", "traces");
    mkdirSync(folder, { recursive: true });
    const program = join(import.meta.dirname, "full-disk-child.ts");
    const child = startChild([home], { program, disk: { folder, bytesMax: 40_000_000 } });
    const said = async () => JSON.parse(await child.line());
    // A score is the only copy of itself: it is refused, not lost.
    expect(await said()).toEqual({ succeeded: 20, score: "M5438", codes: ["M6005"], runs: 0 });
    const withRoom = { codes: ["M6005"], runs: 20 };
    expect(await said()).toEqual(withRoom);
    expect(await said()).toEqual(withRoom);
    await child.gone();
  });
});
