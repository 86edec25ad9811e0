/**
 * kill -9 of the systems in `notebooks/systems`, at events that a seed chooses and a moment behind them: in the midst of what comes
 * next. `npm run soak` kills 30 times each.
 */
import { expect, test } from "vitest";
import { seeded } from "../../../runtime/explore/seeded.ts";
import { type DrivenRun, Session } from "../../../runtime/index.ts";
import { inFolder, killed } from "./kill-child.ts";
import { doneIn, SYSTEMS } from "./systems-world.ts";

/** So many of each system: 30 where MADRIGAL_KILLS says at least as many. */
const KILLS = Number(process.env.MADRIGAL_KILLS ?? 0) >= 30 ? 30 : 3;
const SEED = Number(process.env.MADRIGAL_FUZZ_SEED ?? 20);
/** A call to the outside takes no longer here. */
const CALL_MS = 10;

/** The result, what was done outside and the number of events: of a run from its beginning, or of the one in the folder. */
async function ended(home: string, name: string, begins: boolean) {
  const session = new Session({ cwd: home, env: {}, name: "next" });
  const system = SYSTEMS[name]?.(session, home);
  if (system === undefined) throw new Error(`no system is called ${name}`);
  const { graph, input, options } = system;
  const run = (begins ? graph.run(input, options()) : session.open("last", options())) as DrivenRun;
  let events = 0;
  run.events$.subscribe(() => {
    events += 1;
  });
  if (!begins && run.status !== "succeeded") await run.resume();
  const output = await run.output;
  const isReplayed = run.replay().ok;
  await session.close();
  return { events, output, done: doneIn(home).toSorted(), isReplayed };
}

test.each([
  ["S04 S14 S24 [CR]", "shared-state", 4],
  ["E06 E72 E98 [CR]", "eko", 4],
  ["A05 A40 A84 [CR]", "agent-world", 6],
  ["M16 M92 [CR]", "magentic", 4],
])(
  `%s %s, seed ${SEED}: killed anywhere it ends as an unbroken run, and nothing outside is done twice`,
  {
    timeout: 600_000,
  },
  async (_, name, effects) => {
    const { events, ...unbroken } = await inFolder((home) => ended(home, name, true));
    expect(unbroken.done).toHaveLength(effects);
    const next = seeded(SEED);
    let within = 0;
    for (let kill = 0; kill < KILLS; kill += 1) {
      const event = 1 + Math.floor(next() * (events - 1));
      const afterMs = Math.floor(next() * CALL_MS);
      await inFolder(async (home) => {
        const line = `event ${event}`;
        const words = [home, name];
        if (await killed({ script: "systems-child.ts", words, home, line, afterMs })) within += 1;
        const { events: _, ...resumed } = await ended(home, name, false);
        expect(resumed, `killed ${afterMs} ms behind event ${event} of ${events}`).toEqual(
          unbroken,
        );
      });
    }
    process.stdout.write(`${name}: ${within} of ${KILLS} kills came before the end\n`);
    expect(within).toBeGreaterThan(0);
  },
);
