/** Times of day in a time zone: when `daily("09:00", "Europe/Paris")` is next. From the zone's rules alone, never from a clock. */
import type { ExprIr } from "../../../dsl/index.ts";
import { evaluate, type Lookup } from "./evaluate.ts";
import { EvaluationError } from "./evaluation-errors.ts";

/** The time, in milliseconds since the epoch, at which `daily(…)` is next after `at`; nothing for another expression. */
export function nextDaily(expression: ExprIr, lookup: Lookup, at: number): number | undefined {
  if (!isDaily(expression)) return undefined;
  const [time, zone = DEFAULT_ZONE] = expression.args.map(({ value }) => evaluate(value, lookup));
  const [, hours, minutes] = TIME.exec(String(time)) ?? [];
  if (hours === undefined || minutes === undefined || Number(hours) > 23 || Number(minutes) > 59) {
    const shown = JSON.stringify(time) ?? "nothing";
    throw new EvaluationError(
      `\`daily\` needs a time of day like "09:00", not ${shown}`,
      expression.span,
    );
  }
  const wall = wallClock(String(zone), expression);
  const today = wall(at);
  for (const days of [0, 1, 2]) {
    const day = new Date(Date.UTC(today.year, today.month - 1, today.day + days));
    const local = day.getTime() + Number(hours) * HOUR_MS + Number(minutes) * MINUTE_MS;
    const due = instantOf(local, wall);
    if (due > at) return due;
  }
  throw new EvaluationError("`daily` has no next time", expression.span);
}

const TIME = /^(\d{1,2}):(\d{2})$/;
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;

/** The zone of a time of day without a zone: the same on every machine. */
const DEFAULT_ZONE = "UTC";

type Daily = ExprIr & { readonly kind: "call" };

function isDaily(expression: ExprIr): expression is Daily {
  if (expression.kind !== "call") return false;
  const { callee } = expression;
  return callee.kind === "name" && callee.of === "scope" && callee.name === "daily";
}

interface WallTime {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  /** The time that the clock on the wall shows, in milliseconds as if it showed UTC. */
  readonly asUtc: number;
}

type Wall = (at: number) => WallTime;

function wallClock(zone: string, { span }: Daily): Wall {
  const format = formatOf(zone);
  if (format === undefined) {
    const shown = JSON.stringify(zone);
    throw new EvaluationError(`${shown} is no time zone; write one like "Europe/Paris"`, span);
  }
  return (at) => {
    const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
    const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0;
    const [year, month, day] = [part("year"), part("month"), part("day")];
    const [hour, minute, second] = [part("hour"), part("minute"), part("second")];
    return { year, month, day, asUtc: Date.UTC(year, month - 1, day, hour, minute, second) };
  };
}

function formatOf(zone: string): Intl.DateTimeFormat | undefined {
  const known = formats.get(zone);
  if (known !== undefined) return known;
  try {
    const format = new Intl.DateTimeFormat("en-US", {
      timeZone: zone,
      hourCycle: "h23",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
      second: "numeric",
    });
    formats.set(zone, format);
    return format;
  } catch {
    return undefined;
  }
}

// Making one takes a thousand times as long as using it.
const formats = new Map<string, Intl.DateTimeFormat>();

/**
 * The instant at which a wall clock shows `local`: the first where it shows it twice; where summer time leaves it out, as
 * much later as the clock was put on.
 */
function instantOf(local: number, wall: Wall): number {
  const offsetAt = (at: number) => wall(at).asUtc - at;
  const before = local - offsetAt(local - DAY_MS);
  const behind = local - offsetAt(local + DAY_MS);
  const shown = [before, behind].filter((at) => at + offsetAt(at) === local);
  return shown.length === 0 ? before : Math.min(...shown);
}
