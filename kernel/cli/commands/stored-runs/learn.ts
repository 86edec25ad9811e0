/** `madrigal memory learn`: has a program propose entries of memories from runs that have been. */
import { workspaceAt } from "../../../../runtime/index.ts";
import { memoryTable } from "../../../display/memory-table.ts";
import { counted } from "../../../display/visible.ts";
import { EXIT } from "../../../exit-codes.ts";
import { findRunToLearnFrom, learnFromRun } from "../../../programs/learn-from-run.ts";
import type { CommandCall } from "../../arguments.ts";
import { print, printJson } from "../../output.ts";
import { chooseGraph, linkGraph, openProgram } from "../../program.ts";
import { openStoredRuns } from "../../stored-runs.ts";
import { assertAliases, readModels } from "../run-and-debug/read-run.ts";

/** The program that learns where none is named. */
const LEARN = "madrigal/library/learn.madrigal";

/** Has a program look at each of the runs, and shows what it proposes. */
export async function learn(call: CommandCall, words: readonly string[]): Promise<number> {
  const cliModels = readModels(call.texts("model"));
  const file = call.text("program") ?? LEARN;
  const program = await openProgram(file, { workspace: workspaceAt(process.cwd(), process.env) });
  assertAliases(cliModels, program);
  const session = openStoredRuns({ cliModels });
  try {
    const graph = linkGraph(session, program, chooseGraph(program, undefined));
    const entries = [];
    for (const word of words) {
      const run = session.open(await findRunToLearnFrom(session, word, graph));
      entries.push(...(await learnFromRun(run, graph, { session })));
    }
    if (call.flag("json")) printJson({ entries });
    else if (entries.length === 0) print("nothing new was proposed");
    else {
      print(memoryTable(entries));
      print(
        `${counted(entries.length, "record")} proposed: \`madrigal memory approve ID…\` keeps them, \`edit ID --set JSON\` changes one, \`delete ID…\` rejects them`,
      );
    }
    return EXIT.done;
  } finally {
    await session.close();
  }
}
