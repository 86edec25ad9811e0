/** An attempt that is served: what it called stands in the log again, marked, and it ends with what it came to. */
import type { AttemptHost } from "../attempt/attempt-host.ts";
import { postAndAwait } from "../attempt/post-completion.ts";
import type { Completion } from "../scheduler/completion.ts";
import type { RecordedCall } from "./attempt-facts.ts";
import type { Served } from "./serving.ts";

type SucceededCall = Completion & { readonly kind: "succeeded" };

interface Reciting {
  readonly id: number;
  readonly attempt: number;
}

/** Tells the calls that are not in the log yet: conversations, artifacts and sessions go on from them as from any others. */
export async function recite(
  host: AttemptHost,
  { id, attempt }: Reciting,
  served: Served,
): Promise<SucceededCall> {
  const { end, calls } = served.attempt;
  for (const { intent, outcome } of calls) {
    if (outcome === undefined) continue;
    const recited = { ...outcome, intent, of: { id, attempt, served: served.from } };
    await reciteCall(host, recited);
  }
  const { judged: _, ...directions } = end;
  const at = host.clock.now();
  return { kind: "succeeded", id, attempt, ...directions, served: served.from, at };
}

type RecitedCall = NonNullable<RecordedCall["outcome"]> & {
  readonly intent: RecordedCall["intent"];
  readonly of: Reciting & { readonly served: Served["from"] };
};

async function reciteCall(
  host: AttemptHost,
  { intent, of, ...outcome }: RecitedCall,
): Promise<void> {
  const { id, attempt } = of;
  const { journal, clock } = host;
  const { call } = intent;
  if (journal.outcome(id, attempt, call) !== undefined) return;
  if (journal.intent(id, attempt, call) === undefined) {
    const { node: _, ...asked } = intent;
    await postAndAwait(host, { ...asked, ...of, at: clock.now() });
  }
  const { node: _, usage: __, ...result } = outcome;
  await postAndAwait(host, { ...result, ...of, durationMs: 0, at: clock.now() });
}
