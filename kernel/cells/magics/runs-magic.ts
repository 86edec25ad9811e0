/** Runs `%runs`: shows the runs of the workspace as a table. */
import {
  debugging,
  RunError,
  type RunFilter,
  type RunStatus,
  type RunSummary,
} from "../../../runtime/index.ts";
import { rememberRunList } from "../../display/index.ts";
import type { AtWork } from "../notebook.ts";
import type { MagicWord } from "./magic-words.ts";
import { countOption, type MagicCall, wrongAt } from "./read-magic.ts";

const RUNS = 20;

export function runRuns(call: MagicCall, { notebook }: AtWork): unknown {
  const session = notebook.parts.session();
  const [graph] = call.words;
  const status = call.options.get("--status")?.text as RunStatus | undefined;
  const filter: RunFilter = {
    limit: countOption(call, "--limit") ?? RUNS,
    ...(graph === undefined ? {} : { graph: graph.text }),
    ...(status === undefined ? {} : { status }),
  };
  const list = session.list(filter);
  if (graph !== undefined && list.length === 0) assertGraph(call, graph, session.list());
  return rememberRunList(list);
}

/**
 * Throws, at the word, for a graph that has no run, with the message of `madrigal runs --graph`.
 */
function assertGraph(call: MagicCall, graph: MagicWord, all: readonly RunSummary[]): void {
  try {
    debugging.assertGraphOfRuns(graph.text, [...new Set(all.map((run) => run.graph))]);
  } catch (thrown) {
    if (!(thrown instanceof RunError)) throw thrown;
    const { code, message, hint = "" } = thrown;
    throw wrongAt(call.source, graph, { code, message, hint });
  }
}
