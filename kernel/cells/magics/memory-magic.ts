/** `%memory`: the entries of memories, the newest first. */
import type { storedRuns } from "../../../runtime/index.ts";
import { memoryRows } from "../../display/memory-table.ts";
import type { AtWork } from "../notebook.ts";
import type { MagicCall } from "./read-magic.ts";

/** Returns the rows of a table. */
export function runMemory(call: MagicCall, { notebook }: AtWork): unknown {
  const [memory] = call.words;
  const user = call.options.get("--user")?.text;
  const state = call.options.get("--state")?.text as storedRuns.MemoryEntry["state"] | undefined;
  const entries = notebook.parts.session().stored.memories.list({
    ...(memory === undefined ? {} : { memory: memory.text }),
    ...(user === undefined ? {} : { user }),
    ...(state === undefined ? {} : { state }),
  });
  return entries.length === 0 ? "no memory has such an entry" : memoryRows(entries);
}
