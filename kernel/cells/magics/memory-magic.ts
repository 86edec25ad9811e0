/** `%memory`: the entries of memories, the newest first. */
import type { storedRuns } from "../../../runtime/index.ts";
import { memoryRows } from "../../display/memory-table.ts";
import { Learn } from "../../library/programs.ts";
import { findRunToLearnFrom, learnFromRun } from "../../programs/learn-from-run.ts";
import type { AtWork } from "../notebook.ts";
import type { MagicCall } from "./read-magic.ts";

/** Returns the rows of a table. */
export async function runMemory(call: MagicCall, { notebook }: AtWork): Promise<unknown> {
  const [memory, run] = call.words;
  const session = notebook.parts.session();
  if (memory?.text === "learn" && run !== undefined) {
    const learned = session.open(await findRunToLearnFrom(session, run.text, Learn));
    const entries = await learnFromRun(learned, Learn, { session });
    return entries.length === 0 ? "nothing new was proposed" : memoryRows(entries);
  }
  const user = call.options.get("--user")?.text;
  const state = call.options.get("--state")?.text as storedRuns.MemoryEntry["state"] | undefined;
  const entries = session.stored.memories.list({
    ...(memory === undefined ? {} : { memory: memory.text }),
    ...(user === undefined ? {} : { user }),
    ...(state === undefined ? {} : { state }),
  });
  return entries.length === 0 ? "no memory has such an entry" : memoryRows(entries);
}
