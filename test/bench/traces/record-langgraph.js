/** Runs the instrumented LangGraph agent and writes what it posts, a request a line: `node record-langgraph.js FILE`. */
import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";

const bodies = [];
const server = createServer(async (request, response) => {
  bodies.push(await text(request));
  response.setHeader("content-type", "application/json");
  response.end("{}");
});

server.listen(0, "127.0.0.1", () => {
  const url = `http://127.0.0.1:${server.address().port}/v1/traces`;
  const agent = fileURLToPath(new URL("langgraph-agent.js", import.meta.url));
  const child = spawn(process.execPath, [agent, url], { stdio: "inherit" });
  child.on("exit", (code) => {
    // The stacks say where this machine keeps its files.
    const lines = bodies.map((body) => body.replaceAll(/file:\/\/[^)\\]*\//g, "file:///"));
    writeFileSync(process.argv[2], `${lines.join("\n")}\n`);
    server.close();
    process.exitCode = code;
  });
});
