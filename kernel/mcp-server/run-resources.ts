/** Offers the stored runs of graphs as resources of an MCP server: how each stands, what it returned, and its steps. */
import { type McpServer, ResourceTemplate } from "@modelcontextprotocol/server";
import { type Graph, redaction, type Session } from "../../runtime/index.ts";
import { runJson } from "../cli/run/run-json.ts";

/** The graphs that a server offers, with the session that runs them. */
export interface OfferedGraphs {
  readonly session: Session;
  readonly graphs: readonly Graph[];
}

/** The most runs that a list has, the newest first. */
const LISTED_MAX = 100;

/** Registers `madrigal://runs/{id}`. Runs of other programs are not there. */
export function offerRuns(server: McpServer, { session, graphs }: OfferedGraphs): void {
  const isOffered = (graph: string, file: string | undefined) =>
    graphs.some((one) => one.name === graph && one.ir.source?.file === file);
  const template = new ResourceTemplate("madrigal://runs/{id}", {
    list: () => ({
      resources: session
        .list({ limit: LISTED_MAX })
        .filter(({ runId, graph }) => isOffered(graph, session.store.meta(runId).ir.source?.file))
        .map(({ runId, graph, status, createdAt }) => ({
          uri: `madrigal://runs/${runId}`,
          name: `${graph} ${runId}`,
          description: `${status}, begun ${new Date(createdAt).toISOString()}`,
          mimeType: "application/json",
        })),
    }),
  });
  server.registerResource(
    "runs",
    template,
    { description: "the runs of the graphs", mimeType: "application/json" },
    ({ href: uri }, { id }) => {
      const run = session.open(String(id));
      if (!isOffered(run.graph, run.ir.source?.file))
        throw new Error("there is no run of these graphs with this id");
      const steps = run.steps.map(({ step, node, output }) => ({ step, node, output }));
      const document = { ...runJson(run, run.ir), step_list: redaction.shownValue(steps, run) };
      return { contents: [{ uri, mimeType: "application/json", text: JSON.stringify(document) }] };
    },
  );
}
