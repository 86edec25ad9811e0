/** The run that a person means: one of this workspace, or one that only the traces know, as those of others. */
import { RunError, type Session } from "../../runtime/index.ts";

/** By its id, a unique beginning of it, or `last`; throws M5107 when there is none. */
export async function tracedRunId(session: Session, word: string): Promise<string> {
  try {
    return session.store.find(word).runId;
  } catch (thrown) {
    const found = await foundInTraces(session, word);
    if (found === undefined) throw thrown;
    return found;
  }
}

const RUNS_LIKE = `
SELECT run_id
FROM runs
WHERE $word = 'last' OR starts_with(run_id, $word)
ORDER BY ts DESC, run_id DESC
LIMIT 2`;

async function foundInTraces(session: Session, word: string): Promise<string | undefined> {
  const traces = await session.traces();
  const rows = await traces.query(RUNS_LIKE, { word });
  const [first, second] = rows.map(({ run_id }) => String(run_id));
  if (first === undefined || second === undefined || word === "last") return first;
  throw new RunError("M5107", `several runs begin with \`${word}\``, {
    hint: `give more of the id: ${first}, ${second}, …`,
  });
}
