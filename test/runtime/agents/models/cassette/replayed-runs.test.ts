/** Records whole runs and replays them: the same state, and the same log but for ids and times. */
import { join } from "node:path";
import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { type RunOptions, Session, tool } from "../../../../../runtime/index.ts";
import { temporaryFolder } from "../../../../support/child.ts";
import { type Turn, talker } from "./talker.ts";

const program = `
model m = "rules"
model n = "rules"

graph Talk(topic: string) returns out, more, left, right {
  state {
    out:   string
    more:  { title: string, size: number }
    left:  string
    right: string
  }
  agent ask "asks" {
    model  m
    tools  look
    prompt \`Tell me about \${topic}\`
    writes out
    retry  2 on model
  }
  agent sum "sums up" {
    model  m
    prompt \`Sum up \${out}\`
    writes more
  }
  agent one "tells" {
    model  n
    system "You tell."
    prompt "Tell."
    writes left
  }
  agent two "tells" {
    model  n
    system "You tell."
    prompt "Tell."
    writes right
  }
  start -> ask -> sum -> one -> two -> end
}
`;

const look = tool(({ at }: { at: string }) => ({ found: `what is at ${at}` }), {
  effect: "none",
  description: "looks",
  input: { type: "object", properties: { at: { type: "string" } }, required: ["at"] },
});

/** A graph, and its runs: how each ended, and its log without what differs from run to run. */
function talks() {
  const session = new Session({ store: "memory", env: {}, cwd: temporaryFolder() });
  onTestFinished(() => session.close());
  const { Talk } = session.compile(program, { scope: { look } });
  if (Talk === undefined) throw new Error("no graph");
  const runOf = async (options: RunOptions) => {
    const run = Talk.run({ topic: "cats" }, options);
    const ended = await run.output.catch((error: Error) => error.message);
    const records = session.store.read(run.id).map((record) => plain(record));
    return { id: run.id, ended: plain(ended), records, usage: run.usage };
  };
  return { runOf, exported: (id: string, file: string) => session.stored.cassette(id, file) };
}

function onBoth(file: string) {
  return { m: `cassette:${file}`, n: `cassette:${file}` };
}

const VARYING = [
  "at",
  "notBefore",
  "runId",
  "owner",
  "durationMs",
  "firstTokenMs",
  "modelSource",
  "models",
  "seed",
];
const MODELS = /test\/talker|cassette:[^`]*/g;

function plain(value: unknown): unknown {
  if (typeof value === "string") return value.replace(MODELS, "MODEL");
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(plain);
  const members = Object.entries(value).filter(([name]) => !VARYING.includes(name));
  return Object.fromEntries(members.map(([name, member]) => [name, plain(member)]));
}

const words = fc.array(fc.constantFrom("cats ", "sleep ", "a lot", ", \n", "ä€ ", "🐈"), {
  minLength: 1,
  maxLength: 6,
});
const reasoning = fc.string({ maxLength: 20 });
const calls = fc.array(
  fc.record({
    tool: fc.constantFrom("look", "look", "lok"),
    input: fc.oneof(fc.record({ at: fc.string() }), fc.record({ at: fc.integer() })),
  }),
  { minLength: 1, maxLength: 3 },
);
const working: fc.Arbitrary<Turn> = fc.oneof(
  fc.record({ reasoning, calls, says: words }, { requiredKeys: ["calls"] }),
  fc.constant({ status: 400 } as const),
);
const telling: fc.Arbitrary<Turn> = fc.record(
  { reasoning, says: words },
  { requiredKeys: ["says"] },
);
const size = fc.oneof(fc.integer(), fc.constant("big"));
const summing: fc.Arbitrary<Turn> = fc.record({
  says: fc.record({ title: fc.string(), size }).map((value) => [...JSON.stringify(value)]),
});

const RUNS = 30;

test("a run that was recorded is replayed: the same state and the same log, and no model is asked", async () => {
  const conversation = fc.record({
    work: fc.array(working, { maxLength: 4 }),
    told: fc.array(telling, { minLength: 1, maxLength: 1 }),
    sums: fc.array(summing, { minLength: 1, maxLength: 3 }),
    twice: fc.tuple(telling, telling),
  });
  const { runOf, exported } = talks();
  const folder = temporaryFolder();
  let [runs, refused] = [0, 0];
  await fc.assert(
    fc.asyncProperty(conversation, async ({ work, told, sums, twice }) => {
      runs += 1;
      const file = join(folder, `calls-${runs}.jsonl`);
      const m = talker([...work, ...told, ...sums]);
      const first = await runOf({ models: { m, n: talker(twice) }, record: file });
      const again = await runOf({ models: onBoth(file) });
      expect(again.ended).toEqual(first.ended);
      expect(again.records).toEqual(first.records);
      expect(again.usage).toEqual(first.usage);
      // The log of the run has the same calls, and replays the same.
      const logged = `${file}.log`;
      await exported(first.id, logged);
      const { id: _, ...third } = await runOf({ models: onBoth(logged) });
      expect(third).toEqual({ ended: first.ended, records: first.records, usage: first.usage });
      if (typeof first.ended === "string") refused += 1;
    }),
    { numRuns: RUNS },
  );
  // Both kinds of ending were among them.
  expect(refused).toBeGreaterThan(0);
  expect(refused).toBeLessThan(RUNS);
});
