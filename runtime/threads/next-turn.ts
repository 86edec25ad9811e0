/** Starts the next run of a thread whose run before may still be under way, by a policy for that (double texting). */
import type { Observable } from "rxjs";
import { RunError } from "../failure.ts";

/**
 * The policy where a run of the thread is under way: `reject` throws M5350, `queue` waits for its end, `interrupt` aborts it
 * and keeps what it wrote, `rollback` undoes it too, and `merge` says the texts of the input to it in place of a new run.
 */
export type BusyPolicy = "reject" | "queue" | "interrupt" | "rollback" | "merge";

/** The parts of a run that a policy needs. */
export interface ThreadRun {
  readonly id: string;
  readonly status: string;
  readonly events$: Observable<{ readonly kind: string }>;
  abort(reason?: string): Promise<void>;
  pause(options?: { readonly now?: boolean; readonly reason?: string }): Promise<void>;
  rewind(step: number): Promise<void>;
  steer(text: string): Promise<void>;
  settled(): Promise<void>;
}

export interface NextTurn<R extends ThreadRun> {
  readonly busy: BusyPolicy;
  /** The values of the input. */
  readonly input: readonly unknown[];
  readonly signal?: AbortSignal | undefined;
  /** Starts the run; throws M5350 while another one holds the thread. */
  start(): R;
  /** The run that holds the thread; lost is one whose process is gone. */
  holder(): { readonly run: R; readonly isLost: boolean } | undefined;
}

/** Returns the new run, or with `merge` the one that was told. Rejects as a start does, and with the reason of `signal`. */
export async function startNextTurn<R extends ThreadRun>(turn: NextTurn<R>): Promise<R> {
  for (;;) {
    turn.signal?.throwIfAborted();
    try {
      return turn.start();
    } catch (thrown) {
      const { busy, signal } = turn;
      const isBusy = thrown instanceof RunError && thrown.code === "M5350";
      const holder = isBusy && busy !== "reject" ? turn.holder() : undefined;
      if (busy === "reject" || holder === undefined) throw thrown;
      const { run, isLost } = holder;
      if (busy === "merge") return await tellTexts(run, turn.input);
      if (busy !== "queue") await endRun(run, busy);
      else if (isLost) throw thrown;
      else await untilFree(run, { thrown, signal });
    }
  }
}

async function tellTexts<R extends ThreadRun>(holder: R, input: NextTurn<R>["input"]): Promise<R> {
  const texts = input.filter((value) => typeof value === "string");
  if (texts.length === 0)
    throw new RunError("M5350", "the input has no text that could be said to the run", {
      hint: "another policy: `queue`, `interrupt`, `rollback`",
      runId: holder.id,
    });
  await holder.steer(texts.join("\n"));
  return holder;
}

const REASON = "the next turn of its thread began";

async function endRun(holder: ThreadRun, how: "interrupt" | "rollback"): Promise<void> {
  if (how === "rollback") {
    if (holder.status === "running") await holder.pause({ now: true, reason: REASON });
    if (isOpen(holder)) await holder.rewind(0);
  }
  if (isOpen(holder)) await holder.abort(REASON);
  await holder.settled();
}

/** A run that is paused ends by nobody's doing alone: the one who wants the thread is told. */
async function untilFree(
  holder: ThreadRun,
  { thrown, signal }: { readonly thrown: unknown; readonly signal: AbortSignal | undefined },
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const look = () => {
    if (!isOpen(holder)) resolve();
    else if (holder.status === "paused") reject(thrown);
  };
  const give = () => reject(signal?.reason);
  signal?.addEventListener("abort", give);
  // A new subscriber is told the past events at once.
  const subscription = holder.events$.subscribe({ next: () => setImmediate(look), complete: look });
  look();
  try {
    await promise;
    await holder.settled();
  } finally {
    subscription.unsubscribe();
    signal?.removeEventListener("abort", give);
  }
}

function isOpen({ status }: ThreadRun): boolean {
  return status === "running" || status === "waiting" || status === "paused";
}
