/** `%runs`: the runs of the workspace as a table. */
import { nearest } from "../../../dsl/index.ts";
import type { RunFilter, RunStatus } from "../../../runtime/index.ts";
import { rememberRunList } from "../../display/index.ts";
import type { AtWork } from "../notebook.ts";
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
  if (graph !== undefined && list.length === 0) {
    const known = [...new Set(session.list().map((run) => run.graph))];
    if (!known.includes(graph.text)) {
      const meant = nearest(graph.text, known);
      const there =
        known.length === 0 ? "nothing has run here yet" : `graphs with runs: ${known.join(", ")}`;
      throw wrongAt(call.source, graph, {
        code: "M7514",
        message: `no graph \`${graph.text}\` has run in this workspace`,
        hint: meant === undefined ? there : `did you mean \`${meant}\`?`,
      });
    }
  }
  return rememberRunList(list);
}
