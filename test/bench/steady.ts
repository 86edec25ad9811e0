/** Measures again what was measured while the machine did something else. */
import { spread } from "./statistics.ts";
import type { Tell } from "./suite.ts";

/** Runs that lie further apart, as a part of their median, say more of the machine than of what was measured. */
const SPREAD_MAX = 0.6;

const MEASURED_MAX = 3;

/** Measures up to three times until each series of figures lies close together; tells each time, and keeps the closest. */
export async function steady<T>(
  measure: () => Promise<T>,
  {
    series,
    name,
    tell,
  }: {
    readonly series: (measured: T) => readonly (readonly number[])[];
    readonly name: string;
    readonly tell: Tell;
  },
): Promise<T> {
  const spreadOf = (measured: T) => Math.max(...series(measured).map(spread));
  let best = await measure();
  for (let times = 1; times < MEASURED_MAX && spreadOf(best) > SPREAD_MAX; times += 1) {
    const percent = Math.round(spreadOf(best) * 100);
    tell(
      `bench: ${name} has a spread of ${percent} %, measured again (${times + 1} of ${MEASURED_MAX})`,
    );
    const again = await measure();
    if (spreadOf(again) < spreadOf(best)) best = again;
  }
  return best;
}
