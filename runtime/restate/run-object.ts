/**
 * The virtual object of a run. Each exclusive handler takes one thing that happened, decides on it, sends what follows, and
 * returns: no handler lasts as long as the run, so no journal grows with it and no version of the workers is held by it.
 */
import type * as restate from "@restatedev/restate-sdk";
import { isOver } from "../history/standstill.ts";
import type { LogRecord } from "../records/records.ts";
import type { Completion, Timer } from "../scheduler/completion.ts";
import { foldLog } from "../scheduler/fold.ts";
import { link } from "../scheduler/program/link.ts";
import { emptySnapshot } from "../scheduler/snapshot/snapshot.ts";
import { type LoadedSdk, refusing } from "./load-sdk.ts";
import {
  type AttemptName,
  type BeginMessage,
  type ClaimMessage,
  type ClaimReply,
  type FinishMessage,
  type InvokedAttempt,
  type LogMessage,
  type LogReply,
  type ParkMessage,
  type Performance,
  type PostMessage,
  type PostReply,
  RUN_OBJECT,
  type RunStanding,
  type SayMessage,
} from "./messages.ts";
import { standingOfRun } from "./run-standing.ts";
import { type LoadedRun, NO_NOW, type RunNow } from "./run-state.ts";
import {
  dropTimers,
  isWokenUp,
  performed,
  type TurnTools,
  takeTurn,
  tellWatcher,
  timerKey,
} from "./run-turn.ts";
import { completionOf } from "./said.ts";

/** Records in one reply: more are read in further ones. */
const RECORDS_MAX = 256;
const CHARACTERS_MAX = 4_000_000;

export function runObject(sdk: LoadedSdk, tools: TurnTools) {
  const { object, handlers, TerminalError } = sdk;
  const { states, values } = tools;
  const { exclusive, shared } = handlers.object;
  const wire = {
    input: values,
    output: values,
    journalRetention: 0,
    idempotencyRetention: 600_000,
  };
  type Context = restate.ObjectContext;

  const loaded = async (context: restate.ObjectSharedContext): Promise<LoadedRun> => {
    const run = await states.load(context);
    if (run === undefined)
      throw new TerminalError(`M5806: no run \`${context.key}\``, { errorCode: 404 });
    return run;
  };

  const keep = (context: Context, run: LoadedRun, change: Partial<RunNow>): LoadedRun => {
    const after = { ...run, now: { ...run.now, ...change } };
    states.save(context, { now: after.now, snapshot: run.snapshot, records: [] });
    return after;
  };

  const take = (context: Context, run: LoadedRun, completion: Completion) =>
    takeTurn(context, run, completion, tools);

  return object({
    name: RUN_OBJECT,
    options: { enableLazyState: true, ingressPrivate: false },
    handlers: {
      begin: exclusive(
        wire,
        async (context: Context, message: BeginMessage): Promise<RunStanding> => {
          const { facts, input, at, watcher, records } = message;
          const known = await states.load(context);
          if (known !== undefined) return standingOfRun(known);
          states.begin(context, facts);
          const program = link(facts.ir);
          const now = { ...NO_NOW, watchers: watcher === undefined ? [] : [watcher] };
          const fresh = { facts, program, now, snapshot: emptySnapshot() };
          const { config } = facts.meta;
          const begun = {
            kind: "begin",
            input,
            at,
            ...(config === undefined ? {} : { config }),
          } as const;
          if (records === undefined) return standingOfRun((await take(context, fresh, begun)).run);
          const moved = { ...fresh, ...states.adopted(context, now, records) };
          const run = { ...moved, snapshot: foldLog(program, records) };
          const resumed = { kind: "control", verb: "resume", owner: "restate", at } as const;
          return standingOfRun((await take(context, run, resumed)).run);
        },
      ),

      claim: exclusive(
        wire,
        async (context: Context, message: ClaimMessage): Promise<ClaimReply> => {
          const run = await loaded(context);
          const { id, token, createdAt } = message;
          const have = createdAt === run.facts.meta.createdAt ? message.have : -1;
          const under = run.now.attempts[id];
          const isWanted = isOfInvocation(run, message);
          const wasParked = under?.wasParked === true;
          if (under !== undefined && isWanted) {
            keep(context, run, { attempts: { ...run.now.attempts, [id]: { ...under, token } } });
          }
          const facts = have < 0 ? { facts: run.facts } : {};
          return { isWanted, wasParked, ...facts, ...(await newsFor(context, run, have)) };
        },
      ),

      post: exclusive(wire, async (context: Context, message: PostMessage): Promise<PostReply> => {
        const run = await loaded(context);
        const { have, completion } = message;
        if (!isMine(run, message))
          return {
            acknowledgement: { taken: false },
            state: "gone",
            ...(await newsFor(context, run, have)),
          };
        const { turn, run: after } = await take(context, run, completion);
        const { acknowledgement } = turn ?? { acknowledgement: { taken: false } as const };
        return {
          acknowledgement: acknowledgement ?? { taken: false },
          state: acknowledgement === undefined ? "later" : "taken",
          ...(await newsFor(context, after, have)),
        };
      }),

      finish: exclusive(wire, async (context: Context, message: FinishMessage): Promise<void> => {
        const run = await loaded(context);
        if (!isOfInvocation(run, message)) return;
        const { [message.id]: _, ...attempts } = run.now.attempts;
        const timers = { ...run.now.timers };
        dropTimers(timers, message.id);
        await take(context, { ...run, now: { ...run.now, attempts, timers } }, message.completion);
      }),

      park: exclusive(wire, async (context: Context, message: ParkMessage): Promise<void> => {
        const run = await loaded(context);
        if (!isOfInvocation(run, message)) return;
        const { id, attempt, have, isHeld } = message;
        const parked = { attempt, parkedAt: have, ...(isHeld ? { isHeld: true as const } : {}) };
        const after = {
          ...run,
          now: { ...run.now, attempts: { ...run.now.attempts, [id]: parked } },
        };
        const records = await states.after(context, run.now, { seq: have });
        if (!isWokenUp({ ...parked, id }, { records, snapshot: run.snapshot }))
          keep(context, after, {});
        else await wake(context, after, { id, attempt });
      }),

      later: exclusive(
        wire,
        async (context: Context, { id, attempt }: AttemptName): Promise<void> => {
          const run = await states.load(context);
          const at = await context.date.now();
          if (run !== undefined) await take(context, run, { kind: "started", id, attempt, at });
        },
      ),

      timer: exclusive(wire, async (context: Context, timer: Timer): Promise<void> => {
        const run = await states.load(context);
        const now = await context.date.now();
        const key = timerKey(timer);
        if (run === undefined || run.now.timers[key] !== timer.due) return;
        const { [key]: _, ...timers } = run.now.timers;
        const at = Math.max(now, timer.due);
        await take(context, { ...run, now: { ...run.now, timers } }, { kind: "timer", timer, at });
      }),

      say: exclusive(wire, async (context: Context, message: SayMessage): Promise<RunStanding> => {
        const run = await loaded(context);
        const at = await context.date.now();
        const completion = refusing(sdk, () => completionOf(run, message, at));
        return standingOfRun((await take(context, run, completion)).run);
      }),

      watch: exclusive(wire, async (context: Context, watcher: string): Promise<void> => {
        const run = await loaded(context);
        const isEnd = isOver(run.snapshot) || run.now.broken !== undefined;
        if (isEnd) tellWatcher(context, watcher, run, tools);
        else keep(context, run, { watchers: [...run.now.watchers, watcher] });
      }),

      /** Gives up what is kept of a run that is over, or that has moved to a workspace. */
      forget: exclusive(wire, async (context: Context): Promise<void> => {
        const run = await loaded(context);
        const { status } = run.snapshot;
        if (!isOver(run.snapshot) && status !== "paused" && run.now.broken === undefined)
          throw new TerminalError(`M5807: run \`${context.key}\` is under way`, { errorCode: 409 });
        context.clearAll();
      }),

      status: shared(wire, async (context: restate.ObjectSharedContext): Promise<RunStanding> => {
        return standingOfRun(await loaded(context));
      }),

      isWanted: shared(
        wire,
        async (context: restate.ObjectSharedContext, of: Performance): Promise<boolean> => {
          const now = await states.now(context);
          return now !== undefined && isMine({ now }, of);
        },
      ),

      log: shared(
        wire,
        async (context: restate.ObjectSharedContext, { after }: LogMessage): Promise<LogReply> => {
          const run = await loaded(context);
          const { interrupts: _, ...status } = standingOfRun(run);
          const facts = after < 0 ? { facts: run.facts } : {};
          const read = await states.after(context, run.now, { seq: after, enough: RECORDS_MAX });
          return { ...status, ...facts, records: page(read) };
        },
      ),
    },
  });

  async function newsFor(context: Context, run: LoadedRun, have: number) {
    const read = await states.after(context, run.now, { seq: have, enough: RECORDS_MAX });
    return { news: page(read), lastSeq: run.now.next - 1 };
  }

  async function wake(
    context: Context,
    run: LoadedRun,
    { id, attempt }: AttemptName,
  ): Promise<void> {
    const invocation = await performed(context, run, { id, attempt }, tools);
    const again = { attempt, invocation, wasParked: true as const };
    keep(context, run, { attempts: { ...run.now.attempts, [id]: again } });
  }
}

type AttemptsHere = Pick<LoadedRun, "now">;

function isMine(run: AttemptsHere, of: Performance): boolean {
  return isOfInvocation(run, of) && run.now.attempts[of.id]?.token === of.token;
}

function isOfInvocation(
  { now }: AttemptsHere,
  { id, attempt, invocation }: InvokedAttempt,
): boolean {
  const under = now.attempts[id];
  return under !== undefined && under.attempt === attempt && under.invocation === invocation;
}

/** As many of the first records as one message may have, at least one. */
function page(records: readonly LogRecord[]): readonly LogRecord[] {
  let length = 0;
  const end = records.findIndex((record, at) => {
    length += JSON.stringify(record).length;
    return at > 0 && length > CHARACTERS_MAX;
  });
  return records.slice(0, end < 0 ? RECORDS_MAX : Math.min(end, RECORDS_MAX));
}
