/** Turns a run into one page of HTML that runs no script and loads nothing. */
import { RunError, shortRunId, traceQueries } from "../../runtime/index.ts";
import { closedPage } from "../display/closed-page.ts";
import { escapeMarkup } from "../display/escape.ts";
import { stateFolder } from "../display/index.ts";
import { reportHtml } from "../display/run/report-html.ts";
import { currentSession } from "../session.ts";
import { section, valueHtml } from "./html.ts";
import { darkStyle, picturesOf } from "./pictures.ts";
import { REPORT_STYLE } from "./report-style.ts";
import { factsHtml, headHtml, nodesHtml, stateHtml, stepsHtml } from "./sections.ts";

/** Behind every step: a run's steps are numbered by 32 bits. */
const LAST_STEP = 4_294_967_295;

/** Throws M7606 when nothing of the run is traced. */
export async function reportPage(id: string): Promise<string> {
  const traces = await currentSession().traces();
  const report = await traceQueries.runReport(traces, id);
  if (report === undefined) throw notTraced(id);
  const { run, steps, facts } = report;
  const patches = await traceQueries.patchesUpto(traces, { run: id, step: LAST_STEP });
  const { state, take } = stateFolder();
  for (const one of patches) take(one);
  const start = patches.find(({ step }) => step === 0)?.patches ?? "[]";
  const pictures = await picturesOf(report);
  const sections = [
    headHtml(run),
    section("Input", valueHtml(run.input, `SELECT input FROM runs WHERE run_id = '${id}'`)),
    section("Output", await outputHtml(run.output, id)),
    section("The graph", pictures.drawing),
    section("Charts", pictures.charts),
    section("Nodes", nodesHtml(await traceQueries.nodeTable(traces, id))),
    section("Failed attempts", factsHtml(facts, "failure")),
    section("Questions to people", factsHtml(facts, "interrupt")),
    section("Steps and what they changed", stepsHtml(steps, { start, runId: id })),
    section("Messages", factsHtml(facts, "message")),
    section("Artifacts", factsHtml(facts, "artifact")),
    section(run.ended_at === null ? "State so far" : "Final state", stateHtml(state, id)),
  ];
  const body = sections.filter((html) => html !== "").join("\n");
  const title = `${run.graph}: ${run.status}`;
  return closedPage({
    title,
    style: `${REPORT_STYLE}\n${darkStyle(body)}`,
    body: `<h1>${escapeMarkup(title)}</h1>\n${body}`,
  });
}

/** Texts are read as the reports that they mostly are. */
async function outputHtml(output: unknown, id: string): Promise<string> {
  if (typeof output !== "object" || output === null) return "";
  const parts: string[] = [];
  for (const [name, value] of Object.entries(output)) {
    const all = `SELECT output FROM runs WHERE run_id = '${id}'`;
    const html =
      typeof value === "string" && value.length <= OUTPUT_CHARACTERS
        ? await reportHtml(value)
        : valueHtml(value, all);
    parts.push(`<h3><code>${escapeMarkup(name)}</code></h3>${html}`);
  }
  return parts.join("\n");
}

const OUTPUT_CHARACTERS = 100_000;

function notTraced(id: string): RunError {
  return new RunError("M7606", `nothing of run \`${shortRunId(id)}\` is traced`, {
    hint: "`madrigal runs` has the runs of this workspace",
    runId: id,
  });
}
