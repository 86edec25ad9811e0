/** Runs DeepSearch as `madrigal run` would, and shows its report with what it cites. */
import { relative } from "node:path";
import { Session, workspaceAt } from "../runtime/index.ts";
import { guard } from "./cli/guard.ts";
import { leave } from "./cli/leave.ts";
import { print } from "./cli/output.ts";
import { chooseGraph, linkGraph, openProgram } from "./cli/program.ts";
import { runGraph } from "./cli/run-graph.ts";

/** Answers the question and ends the process. */
export async function deepSearch(of: {
  readonly question: string;
  readonly file: string;
}): Promise<never> {
  return leave(await guard(() => answer(of)));
}

async function answer({ question, file }: { question: string; file: string }): Promise<number> {
  print(`question: ${question}\n`);
  const workspace = workspaceAt(process.cwd(), process.env);
  const program = await openProgram(relative(process.cwd(), file), { workspace });
  const session = new Session();
  const graph = linkGraph(session, program, chooseGraph(program, "DeepSearch"));
  return await runGraph(session, graph, { input: { question }, mode: "text", outputText });
}

interface Finding {
  readonly package: string;
  readonly file: string;
  readonly heading: string;
  readonly quote: string;
}

function outputText({ report, findings }: Readonly<Record<string, unknown>>): string {
  const text = String(report);
  const cited = (findings as readonly Finding[]).filter(
    ({ quote, file }) => text.includes(quote) || text.includes(file),
  );
  const places = cited.length === 0 ? ["none"] : [...new Set(cited.map(citation))];
  return `${text}\n\nCited:\n${places.map((place) => `  ${place}`).join("\n")}`;
}

function citation(finding: Finding): string {
  return `${finding.package}, ${finding.file}, ${finding.heading}`;
}
