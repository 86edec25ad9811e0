/** `madrigal watch`: stays until a signal ends it, and continues each stored run when its time has come. */
import { once } from "node:events";
import type { DueRun, Session } from "../../../../runtime/index.ts";
import { EXIT } from "../../../exit-codes.ts";
import type { CliCommand } from "../../command.ts";
import { faultText, toFault } from "../../fault.ts";
import { timeText } from "../../numbers.ts";
import { openToDrive } from "../../open-to-drive.ts";
import { paintFor, print, tell } from "../../output.ts";
import { openStoredRuns } from "../../stored-runs.ts";
import { dueJson, dueLine, type ResumedRun, restIfAsleep } from "./resumed-run.ts";

export const command: CliCommand = {
  options: { json: "flag" },
  arguments: [],
  async run(call) {
    const session = openStoredRuns();
    const ended = new AbortController();
    const signal = Promise.race([once(process, "SIGINT"), once(process, "SIGTERM")]);
    signal.then(() => ended.abort()).catch(() => {});
    await new DueWatch(session, { isJson: call.flag("json"), ended: ended.signal }).run();
    await session.close();
    return EXIT.done;
  },
};

/** Other processes may put runs to sleep, and the clock may be set: nobody sleeps longer than this without a look. */
const LOOK_MS = 2_000;
/** So many runs are continued at the same time. */
const AT_ONCE = 8;

class DueWatch {
  readonly #session: Session;
  readonly #isJson: boolean;
  readonly #ended: AbortSignal;
  readonly #underWay = new Map<string, Promise<void>>();
  /** Runs that could not be continued, as they were then: they are tried again once they have changed. */
  readonly #refused = new Map<string, number>();
  /** Null before anything was said. */
  /** The times at which to look again at runs that another process is about. */
  readonly #later = new Map<string, number>();
  #saidNext: number | undefined | null = null;

  constructor(session: Session, of: { readonly isJson: boolean; readonly ended: AbortSignal }) {
    this.#session = session;
    this.#isJson = of.isJson;
    this.#ended = of.ended;
  }

  /** Resolves when it was told to end and has let go of all runs. */
  async run(): Promise<void> {
    tell("watching; Ctrl-C ends it");
    while (!this.#ended.aborted) {
      const now = Date.now();
      const due = this.#session.due.at(now).filter((one) => this.#isOpen(one));
      for (const one of due.slice(0, AT_ONCE - this.#underWay.size)) this.#begin(one);
      const next = this.#session.due.next(now);
      if (this.#underWay.size === 0) this.#sayNext(next);
      await this.#pause(Math.min(LOOK_MS, (next ?? now + LOOK_MS) - now));
    }
    await Promise.all(this.#underWay.values());
    tell("ended; runs that sleep go on when `madrigal watch` or `madrigal resume --due` does");
  }

  #isOpen({ runId, updatedAt }: DueRun): boolean {
    const isLater = (this.#later.get(runId) ?? 0) > Date.now();
    return !isLater && !this.#underWay.has(runId) && this.#refused.get(runId) !== updatedAt;
  }

  #begin(due: DueRun): void {
    const work = this.#continue(due).then((resumed) => {
      this.#underWay.delete(due.runId);
      if (resumed !== undefined) this.#say(resumed);
      else this.#later.set(due.runId, Date.now() + LOOK_MS);
    });
    this.#underWay.set(due.runId, work);
  }

  /** Undefined where another process was quicker. */
  async #continue(due: DueRun): Promise<ResumedRun | undefined> {
    const none = { steps: 0, next: undefined };
    try {
      const { run } = await openToDrive(this.#session, due.runId);
      if (run.dueAt === undefined || run.dueAt > Date.now()) return undefined;
      const before = run.steps.length;
      await run.resume();
      const rest = run.events$.subscribe(() => setImmediate(() => restIfAsleep(run)));
      // A failure of this is the run's own, and told below.
      const leave = () => void run.leave("closed").catch(() => {});
      this.#ended.addEventListener("abort", leave, { once: true });
      if (this.#ended.aborted) leave();
      await run.settled();
      this.#ended.removeEventListener("abort", leave);
      rest.unsubscribe();
      if (run.isUnderWay) await run.leave("closed");
      return { ...due, status: run.status, steps: run.steps.length - before, next: run.dueAt };
    } catch (thrown) {
      const fault = toFault(thrown);
      if (fault.code === "M5105" || fault.code === "M5004") return undefined;
      this.#refused.set(due.runId, due.updatedAt);
      return { ...due, ...none, status: "not resumed", fault };
    }
  }

  #say(resumed: ResumedRun): void {
    if (this.#isJson) print(JSON.stringify({ version: 1, ...dueJson(resumed) }));
    else print(dueLine(resumed));
    if (resumed.fault !== undefined) tell(faultText(resumed.fault, paintFor(process.stderr)));
  }

  #sayNext(next: number | undefined): void {
    if (next === this.#saidNext || this.#isJson) return;
    this.#saidNext = next;
    tell(next === undefined ? "nothing is due later" : `asleep until ${timeText(next)} UTC`);
  }

  /** Until time has passed, a run has come to rest, or it is told to end. */
  async #pause(ms: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const end = () => resolve();
    const timer = setTimeout(end, Math.max(1, ms));
    this.#ended.addEventListener("abort", end);
    if (this.#ended.aborted) end();
    await Promise.race([promise, ...this.#underWay.values()]);
    this.#ended.removeEventListener("abort", end);
    clearTimeout(timer);
  }
}
