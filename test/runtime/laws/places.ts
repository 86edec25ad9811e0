/** From the log alone: no place in the order of the graph is that of two node runs. */
import { callersOf, innermost, type LogRecord } from "../../../runtime/records/records.ts";
import type { Ran } from "../../support/run-graph.ts";

/** The place that two node runs have. */
export function placesHold({ records }: Pick<Ran, "records">): string | undefined {
  const at = new Map<string, number>();
  const begun = new Map<string, number>();
  for (const logged of records) {
    const record = innermost(logged);
    const graph = graphOf(logged);
    // A later attempt calls its graph anew, and that one's places stand behind the attempt.
    if (record.kind === "run") begun.set(graph, (begun.get(graph) ?? 0) + 1);
    if (record.kind !== "start") continue;
    const place = `${graph}:${begun.get(graph) ?? 0}/${record.key}`;
    const known = at.get(place);
    if (known !== undefined && known !== record.id)
      return `${record.node}@${record.key} is node run ${known} and ${record.id}`;
    at.set(place, record.id);
  }
  return undefined;
}

function graphOf(record: LogRecord): string {
  return callersOf(record).join("/");
}
