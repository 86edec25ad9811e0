/** Runs `%timeit`: evaluates an expression again and again until its time is known. */
import { setImmediate as nextTurn } from "node:timers/promises";
import { durationText } from "../../display/numbers.ts";
import { counted } from "../../display/visible.ts";
import { runTypeScript } from "../kinds/typescript-cell.ts";
import type { AtWork } from "../notebook.ts";
import { PlainSentence } from "./listing.ts";
import { type MagicCall, wrongAt } from "./read-magic.ts";

/** A batch that takes so long is not hidden by the clock's own steps. */
const BATCH_MS = 100;
const BATCHES = 5;
const LOOPS_MAX = 1_000_000;
/** Other work that waits has its turn so often. */
const TURN_MS = 20;

export async function runTimeit(call: MagicCall, at: AtWork): Promise<unknown> {
  const [expression] = call.words;
  if (expression === undefined)
    throw wrongAt(call.source, call.name, {
      code: "M7510",
      message: "`%timeit` needs an expression",
      hint: "for example: %timeit JSON.stringify(people)",
    });
  const work = await compiled(expression, call, at);
  let loops = 1;
  let batch = await timed(work, loops, at);
  while (batch < BATCH_MS && loops < LOOPS_MAX) {
    loops *= 10;
    batch = await timed(work, loops, at);
  }
  const times = [batch / loops];
  while (times.length < BATCHES) times.push((await timed(work, loops, at)) / loops);
  const mean = times.reduce((sum, time) => sum + time, 0) / times.length;
  const spread = Math.sqrt(times.reduce((sum, time) => sum + (time - mean) ** 2, 0) / times.length);
  return new PlainSentence(
    `${shortTime(mean)} ± ${shortTime(spread)} each (${counted(BATCHES)} × ${counted(loops, "time")})`,
  );
}

/** The expression as a function; its errors are shown at their places in the cell. */
async function compiled(
  { text, start }: { readonly text: string; readonly start: number },
  { source }: MagicCall,
  at: AtWork,
): Promise<() => unknown> {
  const head = "() => (";
  // A promise is awaited anyway, and a comment ends with its line.
  const value = text.replace(/^await(?=\s)/, "     ");
  const lines = source.text.slice(0, start).replace(/[^\n]/g, " ");
  const code = `${lines.slice(0, Math.max(0, lines.length - head.length))}${head}${value}\n)`;
  const { value: work } = await runTypeScript({ name: `${at.cell.name} %timeit`, code }, at);
  return work as () => unknown;
}

/** Milliseconds for all times together. */
async function timed(
  work: () => unknown,
  loops: number,
  { cell, notebook }: AtWork,
): Promise<number> {
  let begin = performance.now();
  const first = notebook.synchronously(work);
  if (isThenable(first)) {
    await cell.orCancelled(Promise.resolve(first));
    let turn = performance.now();
    for (let done = 1; done < loops; done += 1) {
      await cell.orCancelled(Promise.resolve(work()));
      const now = performance.now();
      if (now - turn < TURN_MS) continue;
      // Promises that are resolved at once keep the stop button waiting.
      await nextTurn();
      cell.signal.throwIfAborted();
      turn = performance.now();
      begin += turn - now;
    }
  } else {
    notebook.synchronously(() => {
      for (let done = 1; done < loops; done += 1) work();
    });
  }
  return performance.now() - begin;
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return (
    typeof value === "object" &&
    value !== null &&
    "then" in value &&
    typeof value.then === "function"
  );
}

/** `1.2 µs` where milliseconds would be a small fraction. */
function shortTime(ms: number): string {
  if (ms >= 1) return durationText(ms);
  return ms >= 0.001
    ? `${Number((ms * 1_000).toPrecision(3))} µs`
    : `${Number((ms * 1_000_000).toPrecision(3))} ns`;
}
