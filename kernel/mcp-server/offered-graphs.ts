/** Makes the MCP server of some graphs: each is a tool, each of their runs a resource. */
import { randomBytes } from "node:crypto";
import {
  createRequestStateCodec,
  fromJsonSchema,
  McpServer,
  type McpServerFactory,
} from "@modelcontextprotocol/server";
import { parametersSchema, resultsSchema } from "../../dsl/index.ts";
import { type AskedInRun, GraphCalls } from "./graph-calls.ts";
import { type OfferedGraphs, offerRuns } from "./run-resources.ts";

/** Returns a function that makes a server for each connection or request; all of them share the runs. */
export function serverFactory({ session, graphs }: OfferedGraphs): McpServerFactory {
  const states = createRequestStateCodec<AskedInRun>({
    key: randomBytes(32),
    ttlSeconds: 24 * 60 * 60,
  });
  const calls = new GraphCalls(states);
  return () => {
    const server = new McpServer(
      { name: "madrigal", version: "1" },
      { requestState: { verify: states.verify } },
    );
    for (const graph of graphs) {
      const { ir } = graph;
      server.registerTool(
        ir.name,
        {
          description: ir.description ?? `runs the graph ${ir.name}`,
          inputSchema: fromJsonSchema<Record<string, unknown>>(parametersSchema(ir)),
          outputSchema: fromJsonSchema(resultsSchema(ir)),
        },
        (input, context) =>
          calls.call(graph, {
            input,
            context,
            capabilities: server.server.getClientCapabilities(),
          }),
      );
    }
    offerRuns(server, { session, graphs });
    return server;
  };
}
