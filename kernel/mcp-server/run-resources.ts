/** Offers the stored runs of graphs as resources of an MCP server: how each stands, what it returned, and its steps. */
import { type McpServer, ResourceTemplate } from "@modelcontextprotocol/server";
import type { Graph, Run, Session } from "../../runtime/index.ts";
import { runDocument } from "../cli/run/run-document.ts";

/** The graphs that a server offers, with the session that runs them. */
export interface OfferedGraphs {
  readonly session: Session;
  readonly graphs: readonly Graph[];
}

/** Opens a run of the offered graphs; throws where there is none with this id. */
export function openRun(id: string, { session, graphs }: OfferedGraphs): Run {
  const run = session.open(id);
  if (!graphs.some(({ name, ir }) => isOf(name, ir, run)))
    throw new Error("there is no run of these graphs with this id");
  return run;
}

function isOf(name: string, { source }: Graph["ir"], run: Run): boolean {
  return name === run.graph && source?.file === run.ir.source?.file;
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
      const run = openRun(String(id), { session, graphs });
      const text = JSON.stringify(runDocument(run));
      return { contents: [{ uri, mimeType: "application/json", text }] };
    },
  );
}
