/** Graphs offered by `madrigal mcp` to two clients of others: the command of MCP's Inspector, and Codex with a stub in the place of its model. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { projectNode, projectRoot, startNode, temporaryFolder } from "../../support/child.ts";
import { npmScript } from "../../support/npm/npm-programs.ts";
import { missing } from "../../support/python-env.ts";
import { writeCountProgram } from "./count-program.ts";
import { startResponsesStub } from "./responses-stub.ts";

const [noInspector, noCodex] = [await missing("inspector"), await missing("codex")];

const SERVER = [join(projectRoot, "kernel", "madrigal.js"), "mcp"];

/** A fresh home with the program that the clients call. */
function homeWithProgram() {
  const home = temporaryFolder("madrigal-clients-");
  return { home, program: writeCountProgram(home) };
}

/** Asks one thing by the Inspector's command, which starts the server; its answer. */
async function inspected(era: "legacy" | "modern", method: string, ...args: readonly string[]) {
  const { home, program } = homeWithProgram();
  const how = ["--protocol-era", era, "--connect-timeout", "0", "--format", "json"];
  const child = startNode(
    [
      npmScript("inspector"),
      ...["--cli", projectNode, ...SERVER, program],
      ...["--method", method, ...args, ...how],
    ],
    { home },
  );
  const { code, stdout, stderr } = await child.ended;
  return { code, stderr, answer: JSON.parse(stdout || "null") };
}

test.skipIf(noInspector !== undefined).each(["legacy", "modern"] as const)(
  "the Inspector lists a graph as a tool and calls it, by the protocol's %s revision",
  async (era) => {
    const listed = await inspected(era, "tools/list", "--strict");
    expect([listed.code, listed.answer.result.tools]).toMatchObject([
      0,
      [
        {
          name: "Count",
          description: "counts the letters of a text",
          inputSchema: { properties: { text: { type: "string" } }, required: ["text"] },
          outputSchema: { properties: { size: { type: "integer" } } },
        },
      ],
    ]);
    const count = ["--tool-name", "Count", "--tool-arg"];
    const called = await inspected(era, "tools/call", ...count, "text=four");
    expect([called.code, called.answer.result.structuredContent]).toEqual([0, { size: 4 }]);
    expect(called.stderr).toContain("noise");
    const failed = await inspected(era, "tools/call", ...count, "text=bad");
    expect([failed.answer.result.isError, failed.answer.result.content[0].text]).toEqual([
      true,
      expect.stringContaining("`lengthOf` threw: no length"),
    ]);
  },
);

test.skipIf(noCodex !== undefined)(
  "Codex offers a graph to its model, and calls it when the model asks for it",
  async () => {
    const { home, program } = homeWithProgram();
    const call = { name: "Count", namespace: "mcp__madrigal", call_id: "call_1" };
    const content = [{ type: "output_text", text: "It has four." }];
    const stub = await startResponsesStub([
      { type: "function_call", id: "fc_1", ...call, arguments: '{"text":"four"}' },
      { type: "message", role: "assistant", id: "msg_1", content },
    ]);
    mkdirSync(join(home, ".codex"));
    writeFileSync(join(home, ".codex", "config.toml"), codexConfig(stub.url, program));
    const words = ["exec", "--json", "--skip-git-repo-check", "How long is the word?"];
    const proxies = ["HTTPS_PROXY", "HTTP_PROXY", "https_proxy", "http_proxy"];
    const env = {
      ...Object.fromEntries(proxies.map((name) => [name, stub.url])),
      ...{ NO_PROXY: "127.0.0.1", no_proxy: "127.0.0.1", STUB_KEY: "no key" },
    };
    const { code, stdout, stderr } = await startNode([npmScript("codex"), ...words], { home, env })
      .ended;
    const [offer, result, ...more] = stub.requests;
    expect([code, offer?.authorization, more], stderr).toEqual([0, "Bearer no key", []]);
    const offered = offer?.tools.find(({ name }) => name === "mcp__madrigal");
    expect(offered?.tools).toMatchObject([
      { name: "Count", description: "counts the letters of a text" },
    ]);
    const output = result?.input.find(({ type }) => type === "function_call_output")?.output;
    expect(JSON.stringify(output)).toContain(JSON.stringify('{"size":4}').slice(1, -1));
    expect(stdout).toContain("It has four.");
  },
);

/** Settings of Codex: a stub as the model, no page of its makers, and our server, for which a session waits. */
function codexConfig(url: string, program: string): string {
  return `model = "stub"
model_provider = "stub"
approval_policy = "never"
sandbox_mode = "read-only"
check_for_update_on_startup = false
[analytics]
enabled = false
[model_providers.stub]
name = "stub"
base_url = "${url}/v1"
env_key = "STUB_KEY"
wire_api = "responses"
request_max_retries = 0
stream_max_retries = 0
[mcp_servers.madrigal]
command = ${JSON.stringify(projectNode)}
args = ${JSON.stringify([...SERVER, program])}
required = true
default_tools_approval_mode = "approve"
startup_timeout_sec = 600
tool_timeout_sec = 600
`;
}
