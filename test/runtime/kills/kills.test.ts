/** kill -9 at moments that are spread evenly over a run. `npm run soak` kills more often. */
import { expect, test } from "vitest";
import { textTable } from "../../../kernel/display/text-table.ts";
import { type Killed, kill, measured } from "./harness.ts";
import { unbroken } from "./world.ts";

const KILLS = Number(process.env.MADRIGAL_KILLS ?? 20);
/** Of one in so many, who goes on is killed too, so often in a row; the soak does that to all. */
const [AGAIN, TIMES] = KILLS > 20 ? [1, 3] : [10, 2];

const MODES = ["sync", "async", "exit"] as const;

test.each(MODES)(
  "A05 A84 M16 [CR] kill -9 with %s: nothing acknowledged is lost, runs end as unbroken ones, nothing external happens twice in silence, memories have each entry once, no turn is said twice",
  { timeout: KILLS * 90_000 },
  async (mode) => {
    const pace = { ms: await measured(mode) };
    const { ms } = pace;
    const killed = await inTwos((number) =>
      killAt(mode, (number + 0.5) / KILLS, { pace, times: number % AGAIN === 0 ? TIMES : 0 }),
    );
    const within = killed.filter(({ isWithin }) => isWithin).length;
    const row = { mode, killed, within, ms };
    process.stdout.write(`${textTable(columns, [row])}\n`);
    const remembered = unbroken.done.filter((line) => line.startsWith("packed")).toSorted();
    expect(
      killed.map(({ lost, wrong, isEqual, remembered }) => ({ lost, wrong, isEqual, remembered })),
    ).toEqual(killed.map(() => ({ lost: 0, wrong: [], isEqual: true, remembered })));
    expect(sumOf(killed, ({ killedAgain }) => killedAgain)).toBeGreaterThan(0);
    expect(within).toBeGreaterThanOrEqual(0.8 * KILLS);
  },
);

/** The machine may be faster by now than when the run was measured: who was too late is so once, and is killed once more, sooner. */
async function killAt(
  mode: string,
  share: number,
  { pace, times }: { readonly pace: { ms: number }; readonly times: number },
): Promise<readonly Killed[]> {
  // Whoever goes on has the rest before it, and is killed in the middle of that.
  const moments = () => [
    pace.ms * share,
    ...Array.from({ length: times }, (_, time) => (pace.ms * (1 - share)) / 2 ** (time + 1)),
  ];
  const first = await kill(mode, moments());
  if (first.isWithin) return [first];
  pace.ms *= 0.85;
  return [first, await kill(mode, moments())];
}

/** Most of the time goes into the start of a process. */
async function inTwos(
  one: (number: number) => Promise<readonly Killed[]>,
): Promise<readonly Killed[]> {
  const killed: Killed[] = [];
  for (let number = 0; number < KILLS; number += 2) {
    const both = number + 1 < KILLS ? [one(number), one(number + 1)] : [one(number)];
    killed.push(...(await Promise.all(both)).flat());
  }
  return killed;
}

interface Row {
  readonly mode: string;
  readonly killed: readonly Killed[];
  readonly within: number;
  readonly ms: number;
}

const sumOf = (killed: readonly Killed[], of: (one: Killed) => number) =>
  killed.reduce((total, one) => total + of(one), 0);

const sum = (killed: readonly Killed[], of: (one: Killed) => number) => String(sumOf(killed, of));

const columns = [
  { title: "mode", cell: ({ mode }: Row) => mode },
  { title: "kills", cell: ({ killed }: Row) => `${killed.length}`, isNumber: true },
  {
    title: "between first and last commit",
    cell: ({ within }: Row) => `${within}`,
    isNumber: true,
  },
  {
    title: "killed again",
    cell: ({ killed }: Row) => sum(killed, ({ killedAgain }) => killedAgain),
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
