/** kill -9 in AWorld's DeepSearch, at commits that a seed chooses and a moment behind them: in the middle of searches and visits. `npm run soak` kills more often. */
import { join } from "node:path";
import { expect, test } from "vitest";
import { seeded } from "../../../runtime/explore/seeded.ts";
import { type DrivenRun, Session } from "../../../runtime/index.ts";
import {
  deepSearchIn,
  inDoubt,
  linesIn,
  outside,
  remembered,
  unbroken,
  voices,
} from "./aworld-world.ts";
import { inFolder, killed } from "./kill-child.ts";

const KILLS = Math.min(60, Number(process.env.MADRIGAL_KILLS ?? 5));
const SEED = Number(process.env.MADRIGAL_FUZZ_SEED ?? 20);

/** The commits of an unbroken run, those of the sub-contexts among them. */
const COMMITS = 17;

/** About the time that a search takes. */
const SEARCH_MS = 17;

/** The outcome of the run in a folder, after another process has resumed it. */
async function resumed(home: string) {
  const file = join(home, "did.txt");
  const session = new Session({ cwd: home, env: {}, name: "next" });
  deepSearchIn(session, file);
  const run: DrivenRun = session.open("last", { answers: inDoubt(file), ...voices() });
  if (run.status !== "succeeded") await run.resume();
  const output = await run.output;
  const entries = session.stored.memories.list().map(({ value }) => {
    const { skill = value } = value as { readonly skill?: unknown };
    return skill;
  });
  const isReplayed = run.replay().ok;
  await session.close();
  return {
    ...{ output, isReplayed, outside: linesIn(file).toSorted(), remembered: entries.toSorted() },
  };
}

test(`W02 W09 W10 W49 W54 [CR] seed ${SEED}: killed at any point it ends as an unbroken run: each search and visit once, each fact and experience once`, {
  timeout: 900_000,
}, async () => {
  const next = seeded(SEED);
  let within = 0;
  for (let kill = 0; kill < KILLS; kill += 1) {
    const commit = 1 + Math.floor(next() * (COMMITS - 1));
    const afterMs = Math.floor(next() * SEARCH_MS);
    const outcome = await inFolder(async (home) => {
      const line = `commit ${commit}`;
      if (await killed({ script: "aworld-child.ts", words: [home], home, line, afterMs }))
        within += 1;
      return await resumed(home);
    });
    expect(outcome, `killed ${afterMs} ms behind commit ${commit}`).toEqual({
      ...{ output: unbroken, isReplayed: true, outside, remembered: remembered.toSorted() },
    });
  }
  process.stdout.write(`${within} of ${KILLS} kills came before the end\n`);
  expect(within).toBeGreaterThan(0);
});
