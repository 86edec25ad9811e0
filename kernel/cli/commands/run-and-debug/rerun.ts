/** `madrigal rerun RUN [FILE]`: prints the plan and its savings, then runs a stored run again with today's program. */
import { type repeatedRuns, type storedRuns, workspaceAt } from "../../../../runtime/index.ts";
import { EXIT } from "../../../exit-codes.ts";
import type { CliCommand } from "../../command.ts";
import { storedProgram } from "../../open-to-drive.ts";
import { print, printJson, tell } from "../../output.ts";
import { chooseGraph, linkGraph, openProgram, openText, tellWarnings } from "../../program.ts";
import { driveRun } from "../../run/run-graph.ts";
import { noRunJson } from "../../run/run-json.ts";
import { openStoredRuns } from "../../stored-runs.ts";
import { readInput, readModels } from "./read-run.ts";

export const command: CliCommand = {
  options: {
    ...{ dry: "flag", input: "text", anew: "texts", external: "flag", model: "texts" },
    json: "flag",
  },
  arguments: ["RUN", "[FILE]"],
  async run(call) {
    const [id = "", file] = call.arguments;
    const cliModels = readModels(call.texts("model"));
    const session = openStoredRuns({ cliModels });
    const run = session.open(id);
    const { program, ir } = await programOf({ meta: session.store.meta(run.id), file });
    const graph = linkGraph(session, program, ir);
    const input = call.text("input");
    const plan = await graph.rerun(run, {
      ...(input === undefined ? {} : { input: readInput(input) }),
      anew: call.texts("anew"),
      external: call.flag("external") ? "anew" : "serve",
      breaks: false,
    });
    if (call.flag("dry")) {
      if (call.flag("json")) printJson(planJson(plan));
      else print(plan.toString());
      await session.close();
      return EXIT.done;
    }
    tell(plan.toString());
    const mode = call.flag("json") ? "json" : "text";
    return await driveRun(session, { run: plan.run() as never, ir, mode });
  },
  failed: noRunJson,
};

/** The program that the run is run again with: the file that is named, else its own; of one given as text, that text. */
async function programOf({
  meta,
  file,
}: {
  readonly meta: storedRuns.RunMeta;
  readonly file: string | undefined;
}) {
  const path = file ?? meta.file;
  const workspace = workspaceAt(process.cwd(), process.env);
  const around = { workspace, scopeFile: meta.scopeFile };
  const program =
    path === undefined
      ? await openText(storedProgram(meta), around)
      : await openProgram(path, around);
  const ir = chooseGraph(program, meta.graph);
  tellWarnings(program, ir);
  return { program, ir };
}

function planJson({
  of,
  graph,
  saves,
  performs,
  notes,
}: repeatedRuns.Rerun): Record<string, unknown> {
  const { sure, maybe } = saves;
  return { run_id: of, graph, performs, saves: { sure: ours(sure), maybe: ours(maybe) }, notes };
}

function ours({ nodeRuns, calls, tokens, usd, ms }: repeatedRuns.Savings): Record<string, unknown> {
  return { node_runs: nodeRuns, calls, tokens, cost_usd: usd, duration_ms: ms };
}
