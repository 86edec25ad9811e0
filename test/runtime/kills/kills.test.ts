/** kill -9 at moments that are spread evenly over a run. `npm run soak` kills more often. */
import { afterAll, expect, test } from "vitest";
import { textTable } from "../../../kernel/display/text-table.ts";
import { forgetCompiled, type Killed, kill, measured } from "./harness.ts";

const KILLS = Number(process.env.MADRIGAL_KILLS ?? 20);

afterAll(forgetCompiled);

const MODES = ["sync", "async", "exit"] as const;

test.each(MODES)(
  "A05 A84 M16 [CR] kill -9 with %s: nothing acknowledged is lost, runs end as unbroken ones, nothing external happens twice in silence",
  { timeout: 600_000 },
  async (mode) => {
    const ms = await measured(mode);
    const killed = await inTwos((number) => kill(mode, (ms * (number + 0.5)) / KILLS));
    const within = killed.filter(({ isWithin }) => isWithin).length;
    const row = { mode, killed, within, ms };
    process.stdout.write(`${textTable(columns, [row])}\n`);
    expect(killed.map(({ lost, wrong, isEqual }) => ({ lost, wrong, isEqual }))).toEqual(
      killed.map(() => ({ lost: 0, wrong: [], isEqual: true })),
    );
    expect(within).toBeGreaterThanOrEqual(0.8 * KILLS);
  },
);

/** Most of the time goes into the start of a process. */
async function inTwos(one: (number: number) => Promise<Killed>): Promise<readonly Killed[]> {
  const killed: Killed[] = [];
  for (let number = 0; number < KILLS; number += 2) {
    const both = number + 1 < KILLS ? [one(number), one(number + 1)] : [one(number)];
    killed.push(...(await Promise.all(both)));
  }
  return killed;
}

interface Row {
  readonly mode: string;
  readonly killed: readonly Killed[];
  readonly within: number;
  readonly ms: number;
}

const sum = (killed: readonly Killed[], of: (one: Killed) => number) =>
  String(killed.reduce((total, one) => total + of(one), 0));

const columns = [
  { title: "mode", cell: ({ mode }: Row) => mode },
  { title: "kills", cell: ({ killed }: Row) => `${killed.length}`, isNumber: true },
  {
    title: "between first and last commit",
    cell: ({ within }: Row) => `${within}`,
    isNumber: true,
  },
  { title: "run ms", cell: ({ ms }: Row) => ms.toFixed(0), isNumber: true },
  {
    title: "acknowledged lost",
    cell: ({ killed }: Row) => sum(killed, ({ lost }) => lost),
    isNumber: true,
  },
  {
    title: "in doubt",
    cell: ({ killed }: Row) => sum(killed, ({ doubts }) => doubts),
    isNumber: true,
  },
  {
    title: "external wrong",
    cell: ({ killed }: Row) => sum(killed, ({ wrong }) => wrong.length),
    isNumber: true,
  },
  {
    title: "functions again",
    cell: ({ killed }: Row) => sum(killed, ({ again }) => again),
    isNumber: true,
  },
] as const;
