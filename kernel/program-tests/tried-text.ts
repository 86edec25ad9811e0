/** Says how many inputs and orders a test was run with. */
import type { TestResult } from "../../runtime/index.ts";
import { counted } from "../display/visible.ts";

/** `100 inputs, 24 orders`; empty for a test that is run once. */
export function triedText({
  ok,
  inputs,
  orders,
}: Pick<TestResult, "ok" | "inputs" | "orders">): string {
  const parts = [
    ...(inputs === undefined ? [] : [counted(inputs.tried, "input")]),
    ...(orders === undefined ? [] : [ordersText(orders, ok)]),
  ];
  return parts.join(", ");
}

/** The total is an estimate from the choices of the first order, because orders that were not tried can't be counted. */
function ordersText(
  { tried, total, isComplete }: NonNullable<TestResult["orders"]>,
  ok: boolean,
): string {
  // After the first that breaks the test no other is tried.
  if (isComplete || !ok) return counted(tried, "order");
  return `${tried} of about ${counted(total, "order")}`;
}
