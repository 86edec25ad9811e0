/** Runs DeepSearch as `madrigal run` would, and shows its report with what it cites. */
import { relative } from "node:path";
import { Session, workspaceAt } from "../runtime/index.ts";
import { citedPlaces, type Finding } from "./cited.ts";
import { documentsFolder } from "./cli/documents.ts";
import { guard } from "./cli/guard.ts";
import { leave } from "./cli/leave.ts";
import { print } from "./cli/output.ts";
import { chooseGraph, linkGraph, openProgram, tellWarnings } from "./cli/program.ts";
import { runGraph } from "./cli/run-graph.ts";

/** Answers the question and ends the process. */
export async function deepSearch(of: {
  readonly question: string;
  readonly file: string;
}): Promise<never> {
  return leave(await guard(() => answer(of)));
}

async function answer({ question, file }: { question: string; file: string }): Promise<number> {
  print(`question: ${shortened(question)}\n`);
  const workspace = workspaceAt(process.cwd(), process.env);
  const program = await openProgram(relative(process.cwd(), file), { workspace });
  const ir = chooseGraph(program, "DeepSearch");
  tellWarnings(program, ir);
  const session = new Session();
  const graph = linkGraph(session, program, ir);
  const folder = documentsFolder(program.scope) ?? "";
  const outputText = (output: Readonly<Record<string, unknown>>) =>
    reportText(output, { question, folder });
  return await runGraph(session, graph, { input: { question }, mode: "text", outputText });
}

const SHOWN_CHARS = 200;

function shortened(question: string): string {
  return question.length <= SHOWN_CHARS
    ? question
    : `${question.slice(0, SHOWN_CHARS).toWellFormed()}…`;
}

function reportText(
  { report, findings }: Readonly<Record<string, unknown>>,
  { question, folder }: { readonly question: string; readonly folder: string },
): string {
  const text = String(report);
  const places = citedPlaces(text, findings as readonly Finding[], folder);
  const listed = places.length === 0 ? ["none"] : places;
  const asked = question.trim();
  const shown = asked.length > SHOWN_CHARS ? text.replaceAll(asked, () => shortened(asked)) : text;
  return `${shown}\n\nCited:\n${listed.map((place) => `  ${place}`).join("\n")}`;
}
