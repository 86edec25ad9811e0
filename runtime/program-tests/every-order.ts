/** Runs a test in every order in which its attempts can end, those that differ least from the usual one first. */
import type { TestIr } from "../../dsl/index.ts";
import { type OneRun, type OneRunOptions, runOnce } from "./one-run.ts";
import type { FinishedAttempt } from "./scripted-run.ts";
import { TakenArrows } from "./taken-arrows.ts";
import type { OrdersTried, TestFault, TestResult } from "./test-result.ts";

/** The orders that are tried at most. */
export const ORDERS_MAX = 1000;

type OrderedResult = Pick<TestResult, "path" | "faults" | "arrows" | "called"> & {
  readonly orders: OrdersTried;
};

/** Returns the first order that breaks the test, or that there is none among those tried. */
export async function inEveryOrder(
  test: TestIr,
  options: OneRunOptions,
  ordersMax = ORDERS_MAX,
): Promise<OrderedResult> {
  const taken = new TakenArrows();
  const open: OrderChoices[] = [[]];
  let usual: TriedOrder | undefined;
  let isCut = false;
  for (let tried = 0; ; tried += 1) {
    const choices = open[tried];
    if (choices === undefined) break;
    const order = await tryOrder(test, { ...options, before: usual?.run.taken }, choices);
    taken.add(order.run);
    usual ??= order;
    if (order.run.faults.length > 0)
      return { ...taken.all, ...broken(order, { usual, tried: tried + 1 }) };
    for (const next of furtherChoices(order, choices.length)) {
      if (open.length < ordersMax) open.push(next);
      else isCut = true;
    }
  }
  const total = isCut ? ordersLike(usual) : open.length;
  const orders = { tried: open.length, total, isComplete: !isCut };
  return { path: usual?.run.path ?? [], faults: [], ...taken.all, orders };
}

/** The index of the attempt that ends next, for each point where several could; behind them the first one ends. */
type OrderChoices = readonly number[];

interface TriedOrder {
  readonly run: OneRun;
  readonly points: readonly { readonly choice: number; readonly count: number }[];
}

async function tryOrder(
  test: TestIr,
  options: OneRunOptions,
  choices: OrderChoices,
): Promise<TriedOrder> {
  const points: { readonly choice: number; readonly count: number }[] = [];
  const choose = (count: number) => {
    const choice = Math.min(choices[points.length] ?? 0, count - 1);
    points.push({ choice, count });
    return choice;
  };
  return { run: await runOnce(test, { ...options, choose }), points };
}

/** The orders with one more choice other than the first, behind the last such choice of this one: each order comes once. */
function furtherChoices({ points }: TriedOrder, from: number): readonly OrderChoices[] {
  return points.flatMap(({ count }, at) => {
    if (at < from) return [];
    const before = points.slice(0, at).map(({ choice }) => choice);
    return Array.from({ length: count - 1 }, (_, index) => [...before, index + 1]);
  });
}

/** As many orders as there are if each has as many choices as this one. */
function ordersLike(order: TriedOrder | undefined): number {
  return (order?.points ?? []).reduce((product, { count }) => product * count, 1);
}

function broken(
  order: TriedOrder,
  { usual, tried }: { readonly usual: TriedOrder; readonly tried: number },
): Pick<OrderedResult, "path" | "faults" | "orders"> {
  const { path, faults, ended } = order.run;
  const orders = { tried, total: ordersLike(usual), isComplete: false };
  // It is no matter of the order.
  if (order === usual) return { path, faults, orders };
  const explained = withOrder(faults, { ended, usual: usual.run.ended });
  return { path, faults: explained, orders: { ...orders, broken: textsOf(ended) } };
}

/** Says below the first fault in which order it is one, and how to come to it in `madrigal debug`. */
function withOrder(
  [first, ...more]: readonly TestFault[],
  { ended, usual }: Readonly<Record<"ended" | "usual", readonly FinishedAttempt[]>>,
): readonly TestFault[] {
  if (first === undefined) return more;
  const { detail } = first;
  const lines = [
    ...(detail === undefined ? [] : [detail]),
    `if they end as ${textsOf(ended).join(", ")}`,
    `it holds if as ${textsOf(usual).join(", ")}`,
    `in the debugger: order ${namesOf(ended.filter(({ isFailure }) => !isFailure)).join(", ")}`,
  ];
  return [{ ...first, detail: lines.join("\n") }, ...more];
}

function textsOf(ended: readonly FinishedAttempt[]): readonly string[] {
  return namesOf(ended).map((name, index) =>
    ended[index]?.isFailure === true ? `${name} (fails)` : name,
  );
}

/** `search#1` of a node that runs once is `search`. */
function namesOf(ended: readonly FinishedAttempt[]): readonly string[] {
  const labels = new Set(ended.map(({ label }) => label));
  const runs = Map.groupBy(labels, (label) => label.replace(NUMBER, ""));
  return ended.map(({ label }) => {
    const name = label.replace(NUMBER, "");
    return label.includes(" › ") || runs.get(name)?.length !== 1 ? label : name;
  });
}

const NUMBER = /#\d+$/;
