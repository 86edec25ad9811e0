/** What the nodes of the patterns do. */
import { command } from "madrigal";

/** Does its work at once, for an item or for none. */
export const work = (_item?: unknown) => null;

/** Ends the run well, whatever else is under way. */
export const finish = () => command({ finish: true });

/** Ends the run badly. */
export function giveUp(): never {
  throw new Error("the case is given up");
}

/** Gives items one after the other, as they come to be known. */
export async function* arrivals(count: number, { after = 0 }: { after?: number } = {}) {
  for (let item = after + 1; item <= count; item += 1) yield item;
}

/** Returns the first of the tasks that may be now and is not done. */
export const nextTask = (done: readonly string[]) =>
  (["one1", "two1", "two2"] as const).find((name) => !done.includes(name)) ?? "last";

/** Returns who sent the messages of an inbox. */
export const sendersOf = (inbox: readonly { sender: string }[]) =>
  inbox.map(({ sender }) => sender);
