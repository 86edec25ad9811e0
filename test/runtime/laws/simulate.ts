/** Holds every law against many schedules, and tells what it saw. */
import { LAWS } from "./laws.ts";
import { programOf, type Schedule, schedulesOf } from "./schedules.ts";

export interface Report {
  readonly programs: number;
  readonly schedules: number;
  /** Schedules in which the process died, and how often in all. */
  readonly crashed: number;
  readonly crashes: number;
  readonly verbs: number;
  readonly records: number;
  /** By law: the schedules that have what it speaks of. */
  readonly tried: Readonly<Record<string, number>>;
  readonly broken: readonly Broken[];
}

export interface Broken {
  readonly law: string;
  /** Of the program: `npm test -- --seed N` runs it again. */
  readonly seed: number;
  readonly kind: string;
  readonly what: string;
}

const BROKEN_MAX = 20;

/** Runs the programs of `from` up to, without, `to`, each in all its schedules. */
export function simulate({ from, to }: { readonly from: number; readonly to: number }): Report {
  const broken: Broken[] = [];
  const tried: Record<string, number> = {};
  const counts = { schedules: 0, crashed: 0, crashes: 0, verbs: 0, records: 0 };
  for (let seed = from; seed < to && broken.length < BROKEN_MAX; seed += 1) {
    for (const schedule of tryAll(seed, broken)) {
      const { crashes, verbs, records } = schedule.ran;
      counts.schedules += 1;
      counts.crashed += crashes > 0 ? 1 : 0;
      counts.crashes += crashes;
      counts.verbs += verbs;
      counts.records += records.length;
      for (const law of LAWS) {
        if (law.isTried?.(schedule) === false) continue;
        tried[law.id] = (tried[law.id] ?? 0) + 1;
        const what = tellsOf(() => law.broken(schedule));
        if (what !== undefined) broken.push({ law: law.id, seed, kind: schedule.kind, what });
      }
    }
  }
  return { programs: to - from, ...counts, tried, broken };
}

/** A simulation that throws breaks the law that nothing escapes from the scheduler. */
function* tryAll(seed: number, broken: Broken[]): Generator<Schedule> {
  try {
    yield* schedulesOf(programOf(seed), seed);
  } catch (error) {
    broken.push({ law: "L11", seed, kind: "any", what: String(error) });
  }
}

function tellsOf(look: () => string | undefined): string | undefined {
  try {
    return look();
  } catch (error) {
    return String(error);
  }
}

/** What several halves saw, as one. */
export function together(reports: readonly Report[]): Report {
  const sum = (of: (report: Report) => number) => reports.reduce((n, report) => n + of(report), 0);
  const laws = new Set(reports.flatMap(({ tried }) => Object.keys(tried)));
  return {
    programs: sum(({ programs }) => programs),
    schedules: sum(({ schedules }) => schedules),
    crashed: sum(({ crashed }) => crashed),
    crashes: sum(({ crashes }) => crashes),
    verbs: sum(({ verbs }) => verbs),
    records: sum(({ records }) => records),
    tried: Object.fromEntries([...laws].map((law) => [law, sum(({ tried }) => tried[law] ?? 0)])),
    broken: reports.flatMap((report) => report.broken),
  };
}
