/** Serves the skills of a folder by the official SDK over stdio, and writes down what it is asked. */
import { appendFileSync } from "node:fs";
import { McpServer } from "@modelcontextprotocol/server";
import { loadSkills } from "@modelcontextprotocol/server/ext/skills/node";
import { serveStdio } from "@modelcontextprotocol/server/stdio";

const [folder = "", ...ways] = process.argv.slice(2);
const catalog = await loadSkills(`${folder}/served`);

serveStdio(() => {
  const server = new McpServer({ name: "skills", version: "1" });
  if (!ways.includes("none")) catalog.attach(server);
  return server;
});
process.stdin.on("data", (chunk) => {
  for (const [, method] of `${chunk}`.matchAll(/"method":"((?:skills|resources)\/\w+)"/g)) {
    appendFileSync(`${folder}/asked`, `${method}\n`);
    if (ways.includes(`ends:${method}`)) process.exit(1);
  }
});
