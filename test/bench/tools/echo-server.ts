/** Serves one tool over stdio, `echo`, which returns its text: the other end of the benchmark of MCP calls. */
import { fromJsonSchema, McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";

serveStdio(() => {
  const server = new McpServer({ name: "echo", version: "1" });
  const inputSchema = fromJsonSchema<{ text: string }>({
    type: "object",
    properties: { text: { type: "string" } },
    required: ["text"],
  });
  server.registerTool("echo", { inputSchema }, async ({ text }) => ({
    content: [{ type: "text", text }],
  }));
  return server;
});
