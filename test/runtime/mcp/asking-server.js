/** Serves tools of the newest protocol over stdio, which ask a person before they are done: for a form, and to open a page. */

import { appendFileSync } from "node:fs";
import { acceptedContent, inputRequired, McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { z } from "zod";

const [folder = ""] = process.argv.slice(2);

serveStdio(() => {
  const server = new McpServer({ name: "asking", version: "1" });
  server.registerTool("greet", { inputSchema: z.object({}) }, async (_, context) => {
    const said = acceptedContent(context.mcpReq.inputResponses, "who");
    if (said === undefined) {
      const requestedSchema = {
        type: "object",
        properties: { name: { type: "string" } },
        required: ["name"],
      };
      return inputRequired({
        inputRequests: { who: inputRequired.elicit({ message: "Who are you?", requestedSchema }) },
      });
    }
    appendFileSync(`${folder}/counted`, "1");
    return { content: [{ type: "text", text: `hello, ${said.name}` }] };
  });
  server.registerTool("pay", { inputSchema: z.object({}) }, async (_, context) => {
    const answer = context.mcpReq.inputResponses?.page;
    if (answer === undefined) {
      const url = "https://pay.example/1";
      return inputRequired({
        inputRequests: { page: inputRequired.elicitUrl({ message: "Pay there.", url }) },
      });
    }
    return { content: [{ type: "text", text: answer.action }] };
  });
  return server;
});
