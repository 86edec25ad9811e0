/** `npm run bench -- memories`: recall from a memory of 100,000 entries, by words alone and with vectors. */

import type { QueryVector } from "../../../runtime/records/memory-records.ts";
import { openMemoryDatabase } from "../../../runtime/store/database/open-database.ts";
import { MemoryIndex } from "../../../runtime/store/memories/memory-index.ts";
import { steady } from "../steady.ts";
import type { Suite } from "../suite.ts";

const ENTRIES = 100_000;
const DIMENSIONS = 384;
const MODEL = "made up";
const SPACE = { memory: "notes", scope: "user", owner: "ann" } as const;
const ROUNDS = 9;
const QUERIES = 40;

const ROWS = {
  words: { name: "recall by words among 100,000 entries", goal: 5 },
  both: { name: "recall by words and vectors among 100,000 entries", goal: 15 },
} as const;

export const memoriesSuite: Suite = {
  measure: async (tell, keep, wanted) => {
    const rows = Object.values(ROWS).filter(({ name }) => wanted.has(name));
    if (rows.length === 0) return;
    tell("bench: a memory of 100,000 entries");
    const index = filledIndex();
    for (const { name, goal } of rows) {
      const measure = async () => {
        const ours = roundsOf(index, name === ROWS.both.name);
        return { name, unit: "ms", goal, goalOn: "ours", ours } as const;
      };
      keep(await steady(measure, { tell, name, series: ({ ours }) => [ours] }));
    }
  },
};

/** The processor time of a query in each round, in milliseconds; the first round only warms up. */
function roundsOf(index: MemoryIndex, withVectors: boolean): readonly number[] {
  const rounds = Array.from({ length: ROUNDS + 1 }, (_, round) => {
    const next = random(round + 1);
    const queries = Array.from({ length: QUERIES }, () => {
      const vector: QueryVector = { model: MODEL, values: direction(next) };
      return { text: sentence(next, 6), ...(withVectors ? { vector } : {}) };
    });
    const began = process.threadCpuUsage();
    for (const query of queries) index.recall({ ...SPACE, ...query, top: 5, now: 2 });
    const { user, system } = process.threadCpuUsage(began);
    return (user + system) / 1_000 / QUERIES;
  });
  return rounds.slice(1);
}

function filledIndex(): MemoryIndex {
  const database = openMemoryDatabase();
  const index = new MemoryIndex(() => database);
  const next = random(0);
  database.exec("BEGIN");
  const vectors = Array.from({ length: ENTRIES }, (_, seq) => {
    const source = { runId: "r", seq, place: 0, node: "n" };
    const id = index.put({ ...SPACE, value: sentence(next, 12), at: 1, source });
    return { id, values: direction(next) };
  });
  index.embed(MODEL, vectors);
  database.exec("COMMIT");
  return index;
}

/** Words as rare and as common as those of a language: the nth has a share of about 1/n. */
function sentence(next: () => number, length: number): string {
  const words = Array.from({ length }, () => `word${Math.floor(20_000 ** next())}`);
  return words.join(" ");
}

/** A vector of length 1. */
function direction(next: () => number): Float32Array {
  const values = Float32Array.from({ length: DIMENSIONS }, () => next() - 0.5);
  const length = Math.hypot(...values);
  return values.map((one) => one / length);
}

/** Numbers from 0 to 1, the same for a seed. */
function random(seed: number): () => number {
  let state = seed * 2_654_435_761 + 1;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
