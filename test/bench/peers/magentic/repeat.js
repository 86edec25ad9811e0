/** Steps that look again and again: `every 30s until the price is below 10 max 200`, `every 1d 30 times`. */
const FORM = /^(?:every ([\d.]+)(s|m|h|d) )?(?:(\d+) times|until (.+?)(?: max (\d+))?)$/;
const MS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Returns what a text means; throws where it is none of that form. */
export function readRepeat(text) {
  const [, every = "0", unit = "s", times, until, max = "1000"] = FORM.exec(text) ?? [];
  if (times === undefined && until === undefined) throw new Error(`${text} repeats nothing`);
  return { everyMs: Number(every) * MS[unit], rounds: Number(times ?? max), until };
}
