/** Makes the MCP server of some graphs: each is a tool, each of their runs a resource. */
import { randomBytes } from "node:crypto";
import {
  createRequestStateCodec,
  fromJsonSchema,
  McpServer,
  type McpServerFactory,
} from "@modelcontextprotocol/server";
import type { SkillCatalog } from "@modelcontextprotocol/server/ext/skills";
import { parametersSchema, resultsSchema } from "../../dsl/index.ts";
import { type AnswerInput, type AskedInRun, GraphCalls } from "./graph-calls.ts";
import { type OfferedGraphs, offerRuns, openRun } from "./run-resources.ts";

interface ServerOptions extends OfferedGraphs {
  /** True if there is a tool by which clients without forms answer questions: their models can then answer. */
  readonly answers?: boolean;
  /** Offered beside the graphs. */
  readonly skills?: SkillCatalog | undefined;
}

/** Returns a function that makes a server for each connection or request; all of them share the runs. */
export function serverFactory({
  session,
  graphs,
  answers = false,
  skills,
}: ServerOptions): McpServerFactory {
  const states = createRequestStateCodec<AskedInRun>({
    key: randomBytes(32),
    ttlSeconds: 24 * 60 * 60,
  });
  const answerTool = answers ? freeName(graphs.map(({ name }) => name)) : undefined;
  const calls = new GraphCalls(states, answerTool);
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
    if (answerTool !== undefined) {
      const capabilities = () => server.server.getClientCapabilities();
      const open = (id: string) => openRun(id, { session, graphs });
      server.registerTool(answerTool, ANSWER_TOOL, (input, context) =>
        calls.answer({ input, open, context, capabilities: capabilities() }),
      );
    }
    offerRuns(server, { session, graphs });
    skills?.attach(server);
    return server;
  };
}

/** Clients ask their person before they call what may destroy something. */
const ANSWER_TOOL = {
  description:
    "Answers the question of a run, for the person whom you work for: only that person's own answer, never one of yours.",
  inputSchema: fromJsonSchema<AnswerInput>({
    type: "object",
    properties: {
      run: { type: "string", description: "the id of the run" },
      question: { type: "string", description: "the id of the question" },
      answer: { type: "string", description: "approve, deny: REASON, or the value" },
    },
    required: ["run", "question", "answer"],
    additionalProperties: false,
  }),
  annotations: { readOnlyHint: false, destructiveHint: true },
};

function freeName(taken: readonly string[]): string {
  let name = "answer";
  for (let count = 2; taken.includes(name); count += 1) name = `answer_${count}`;
  return name;
}
