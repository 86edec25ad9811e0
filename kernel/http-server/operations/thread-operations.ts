/** Operations that look at threads: the runs of a conversation, and what it keeps between them. */
import { RunError, type RunSummary, redaction, type Session } from "../../../runtime/index.ts";
import { summaryJson } from "../../cli/run/summary-json.ts";
import { HttpFault } from "../http-fault.ts";
import { ANY_OBJECT, LIST, type Operation, objectOf } from "../operation.ts";

/** Threads are those of so many of the newest runs. */
const RUNS_READ = 1000;

export const threadOperations: readonly Operation[] = [
  {
    id: "listThreads",
    method: "GET",
    path: "/threads",
    right: "read",
    summary: `The threads of the ${RUNS_READ} newest runs, newest first.`,
    gives: objectOf({ threads: LIST }),
    perform: ({ host }) => {
      const byThread = Map.groupBy(host.list({ limit: RUNS_READ }), ({ threadId }) => threadId);
      return { threads: [...byThread].map(([id, runs]) => threadJson(id, runs)) };
    },
  },
  {
    id: "getThread",
    method: "GET",
    path: "/threads/{thread}",
    right: "read",
    summary: "The runs of a thread, newest first, and what it keeps, without what is private.",
    gives: ANY_OBJECT,
    perform: ({ host, session, params }) => {
      const { thread = "" } = params;
      const runs = host.list({ thread, limit: RUNS_READ });
      if (runs.length === 0)
        throw new HttpFault(404, "M5107", `there is no thread \`${thread.slice(0, 100)}\` here`, {
          hint: "GET /threads lists them",
        });
      return {
        ...threadJson(thread, runs),
        kept: keptBy(session, thread),
        run_list: runs.map(summaryJson),
      };
    },
  },
];

function threadJson(id: string, runs: readonly RunSummary[]) {
  const [latest] = runs;
  return {
    thread_id: id,
    runs: runs.length,
    status: latest?.status ?? null,
    updated_at: new Date(Math.max(...runs.map(({ updatedAt }) => updatedAt))).toISOString(),
  };
}

function keptBy({ stored }: Session, thread: string): unknown {
  try {
    const { fields } = stored.threads.show(thread);
    const shown = fields.filter(({ isPrivate }) => isPrivate !== true);
    return redaction.redactForTrace(
      Object.fromEntries(shown.map(({ name, value }) => [name, value])),
    );
  } catch (thrown) {
    // It keeps nothing.
    if (thrown instanceof RunError && thrown.code === "M5358") return {};
    throw thrown;
  }
}
