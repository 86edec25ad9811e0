/** What an agent was told to be when it ran: its program's hash stands in the run, and in each resume that changed it. */
import { expect, onTestFinished, test } from "vitest";
import { Session, scripted } from "../../../../runtime/index.ts";
import { newFolder } from "../store.ts";

const text = (said: string) => `model m = "scripted"
graph G returns a, b {
  state { a: string = ""  b: string = "" }
  defaults { model m }
  agent first { prompt "first"; writes a }
  agent second { prompt "${said}"; writes b }
  start -> first -> second
}`;

test("W03 [DB] an agent is what its program said when it ran: the hash of that stands beside it, also of one that was changed in a pause", async () => {
  const session = new Session({ store: "memory", env: { MADRIGAL_HOME: newFolder() } });
  onTestFinished(() => session.close());
  const models = { m: scripted({ first: ["x"], second: ["y"] }) };
  const before = session.compile(text("as it was")).G;
  const run = before?.run({}, { models, breakpoints: ["second"] });
  await run?.continue();
  await run?.pause({ now: true });
  const after = session.compile(text("as it is now")).G;
  if (run === undefined || after === undefined) throw new Error("no graph");
  const again = session.open(run.id, { ir: after.ir, models });
  await again.resume();
  expect(await again.output).toEqual({ a: "x", b: "y" });
  const traces = await session.traces();
  const rows = await traces.query(`
    SELECT r.graph_hash AS began, g.graph_hash AS went_on, g.ir ->> '$.nodes[1].prompt.value' AS said
    FROM runs r
    JOIN events e ON e.run_id = r.run_id AND e.kind = 'run.resumed'
    JOIN graphs g ON g.graph_hash = (e.payload ->> '$.graphHash')`);
  expect(rows).toEqual([{ began: before?.ir.hash, went_on: after.ir.hash, said: "as it is now" }]);
  // What the first one was told is that of the program it ran under.
  const [asked] = await traces.query(`
    SELECT g.ir ->> '$.nodes[0].prompt.value' AS said
    FROM runs r JOIN graphs g ON g.graph_hash = r.graph_hash`);
  expect(asked).toEqual({ said: "first" });
});
