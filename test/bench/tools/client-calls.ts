/** The floor of an MCP call: the client's package alone, asked as often with the same argument. */
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { serveSide } from "../engine/side.ts";
import { CALLS, echoServer, inProcessorTime } from "./task.ts";

const [command, ...args] = echoServer;
const client = new Client(
  { name: "bench", version: "1" },
  { versionNegotiation: { mode: "auto" } },
);
await client.connect(new StdioClientTransport({ command, args }));
await serveSide(async () => {
  let said = 0;
  for (let call = 0; call < CALLS; call += 1) {
    const { content } = await client.callTool({ name: "echo", arguments: { text: `${call}` } });
    said += content.length;
  }
  return said;
}, inProcessorTime);
await client.close();
process.exit();
