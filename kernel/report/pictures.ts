/** Makes the pictures of the page about a run: its drawing and its charts, with the colours of both themes. */
import type { Ir } from "../../dsl/index.ts";
import { messageOf, type traceQueries } from "../../runtime/index.ts";
import { escapeMarkup } from "../display/escape.ts";
import type { NodeStatus } from "../display/graph/node-look.ts";
import {
  type Chart,
  costByModel,
  darkRules,
  drawGraph,
  flame,
  lanes,
  latencyBoxes,
  layoutGraph,
  messageFlow,
  type NodeState,
  parallelism,
  stateSize,
  tokensByModel,
  waterfall,
} from "../display/index.ts";
import { commonStatus } from "../display/run/tally.ts";
import { sanitiseSvg } from "../notebook/page/sanitise.ts";

/** HTML: the drawing of the graph, and the charts that have something to show. */
export interface Pictures {
  readonly drawing: string;
  readonly charts: string;
}

export async function picturesOf({ run, nodes, facts }: traceQueries.RunReport): Promise<Pictures> {
  const id = run.run_id;
  const hasMessages = facts.some(({ what }) => what === "message");
  const charts: readonly (() => Chart)[] = [
    () => waterfall(id),
    () => lanes(id),
    () => flame(id),
    () => parallelism(id),
    ...(run.model_calls === 0 ? [] : [() => tokensByModel(id)]),
    ...(run.cost_usd === 0 ? [] : [() => costByModel(id)]),
    () => latencyBoxes(id),
    () => stateSize(id),
    ...(hasMessages ? [() => messageFlow(id)] : []),
  ];
  const drawn: string[] = [];
  for (const make of charts) drawn.push(await chartHtml(make, `c${drawn.length}-`));
  return { drawing: await drawingHtml(run.ir, nodes), charts: drawn.join("\n") };
}

async function drawingHtml(ir: unknown, nodes: traceQueries.RunReport["nodes"]): Promise<string> {
  if (ir === null) return "";
  try {
    const layout = await layoutGraph(ir as unknown as Ir);
    const svg = drawGraph(layout, { nodes: statesOf(nodes), lines: [] });
    return figureHtml(svg, "g-");
  } catch (thrown) {
    return troubleHtml(thrown);
  }
}

function statesOf(nodes: traceQueries.RunReport["nodes"]): Readonly<Record<string, NodeState>> {
  const states = nodes.map(({ node, statuses, done, total, dur_us, tokens }) => {
    const status = commonStatus(new Set(statuses as readonly NodeStatus[]));
    return [node, { status, done, total, durationMs: dur_us / 1_000, tokens }] as const;
  });
  return Object.fromEntries(states);
}

/** One that can't be drawn is no reason for no page. */
async function chartHtml(make: () => Chart, prefix: string): Promise<string> {
  try {
    const { svg, text } = await make().drawing();
    const words = `<details class="words"><summary>in words</summary><pre>${escapeMarkup(text)}</pre></details>`;
    return figureHtml(svg, prefix) + words;
  } catch (thrown) {
    return troubleHtml(thrown);
  }
}

/** Returns the HTML of a picture, with ids that differ from those of others. */
function figureHtml(svg: string, prefix: string): string {
  return `<figure class="picture">${sanitiseSvg(svg, prefix) ?? ""}</figure>`;
}

function troubleHtml(thrown: unknown): string {
  return `<p class="quiet">${escapeMarkup(messageOf(thrown))}</p>`;
}

/** Returns the CSS rules of a dark theme for all pictures of the page. */
export function darkStyle(html: string): string {
  return darkRules(html, ".picture");
}
