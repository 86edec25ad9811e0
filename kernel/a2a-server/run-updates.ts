/** Streams a run as the events of its task: first as it stands, then what happens, until it waits, ends or is paused. */
import { type Run, redaction, type remote } from "../../runtime/index.ts";
import { progressLine } from "../cli/run/progress.ts";
import { eventsOf } from "../cli/run/run-facts.ts";
import { plain } from "../paint.ts";
import { artifactOf, messageOfRun, resultOf, statusOf, taskOf } from "./task-of-run.ts";

/** Something is sent at least so often, so that nobody takes a long step for silence. */
const ALIVE_MS = 30_000;

export async function* updatesOf(run: Run): AsyncGenerator<remote.WireEvent> {
  const of = { taskId: run.id, contextId: run.thread };
  // The stream of a run begins with its past.
  let past = eventsOf(run).length;
  let number = past;
  const sent = new Set(run.artifacts.map(({ id }) => id));
  const events = run.stream("events")[Symbol.asyncIterator]();
  // A slow client does not hold up the run.
  const isAtRest = !isUnderWay(run);
  yield { task: taskOf(run) };
  if (isAtRest) return await leave(events);
  const shower = redaction.eventShower(run.ir);
  try {
    let next = events.next();
    for (;;) {
      const arrived = await orSilence(next);
      if (arrived === undefined) {
        yield { statusUpdate: { ...of, status: { state: "TASK_STATE_WORKING" } } };
        continue;
      }
      if (arrived.done === true) break;
      next = events.next();
      shower.learn(arrived.value);
      if (past > 0) {
        past -= 1;
        continue;
      }
      number += 1;
      const text = progressLine(shower.show(arrived.value), plain);
      if (text !== undefined && arrived.value.kind !== "interrupt.opened")
        yield {
          statusUpdate: {
            ...of,
            status: { state: "TASK_STATE_WORKING", message: messageOfRun(run, `${number}`, text) },
          },
        };
      for (const artifact of run.artifacts) {
        if (sent.has(artifact.id)) continue;
        sent.add(artifact.id);
        yield { artifactUpdate: { ...of, artifact: artifactOf(run, artifact), lastChunk: true } };
      }
    }
    const result = resultOf(run);
    if (result !== undefined)
      yield { artifactUpdate: { ...of, artifact: result, lastChunk: true } };
    if (!isUnderWay(run)) yield { statusUpdate: { ...of, status: statusOf(run) } };
  } finally {
    await leave(events);
  }
}

function isUnderWay({ status }: Run): boolean {
  return status === "created" || status === "running" || status === "paused";
}

async function leave(events: AsyncIterator<unknown>): Promise<void> {
  await events.return?.();
}

async function orSilence<T>(next: Promise<T>): Promise<T | undefined> {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => resolve(undefined), ALIVE_MS);
  timer.unref();
  try {
    return await Promise.race([next, promise]);
  } finally {
    clearTimeout(timer);
  }
}
