/** Lists the runs that a kernel drives: they end or pause with it. */
import type { Session } from "../../runtime/index.ts";
import type { RunUnderWay } from "./asks.ts";

export function runsUnderWay({ underWay }: Session): readonly RunUnderWay[] {
  return underWay.map(({ id, graph, status }) => ({ run: id, graph, status }));
}
