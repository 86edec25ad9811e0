/** Shows entries of memories as rows and as a table. */
import { shortRunId, type storedRuns } from "../../runtime/index.ts";
import { timeText } from "./numbers.ts";
import { type TextColumn, textTable } from "./text-table.ts";
import { cut, visible } from "./visible.ts";

const SHOWN_LENGTH = 80;

export function memoryRows(entries: readonly storedRuns.MemoryEntry[]) {
  return entries.map((entry) => ({
    id: entry.id,
    memory: entry.memory,
    of: ownerText(entry),
    state: entry.state,
    stored: timeText(entry.at),
    by: entry.source.runId === "" ? "a person" : shortRunId(entry.source.runId),
    value: cut(JSON.stringify(entry.value), SHOWN_LENGTH),
  }));
}

type MemoryRow = ReturnType<typeof memoryRows>[number];

const COLUMNS: readonly TextColumn<MemoryRow>[] = [
  { title: "id", cell: ({ id }) => id },
  { title: "memory", cell: ({ memory }) => memory },
  { title: "of", cell: ({ of }) => visible(of) },
  { title: "state", cell: ({ state }) => state },
  { title: "stored (UTC)", cell: ({ stored }) => stored },
  { title: "by", cell: ({ by }) => by },
  { title: "value", cell: ({ value }) => visible(value) },
];

export function memoryTable(entries: readonly storedRuns.MemoryEntry[]): string {
  return textTable(COLUMNS, memoryRows(entries));
}

/** `user ann`, `thread t1 of ann`, `agent Chat.note of ann`, `workspace`. */
export function ownerText({ scope, owner }: storedRuns.MemoryEntry): string {
  if (scope === "workspace") return scope;
  if (scope === "user") return owner === "" ? "no user" : `user ${owner}`;
  const [user, name] = JSON.parse(owner) as readonly string[];
  return `${scope} ${name}${user === "" ? "" : ` of ${user}`}`;
}
