/** Lists the runs that a kernel drives and that go on by themselves: they pause with it. One that a person holds stands already. */
import type { Session } from "../../runtime/index.ts";
import type { RunUnderWay } from "./asks.ts";

export function runsUnderWay({ underWay }: Session): readonly RunUnderWay[] {
  return underWay
    .filter(({ isHeld, status }) => !isHeld && (status === "running" || status === "waiting"))
    .map(({ id, graph, status }) => ({ run: id, graph, status }));
}
