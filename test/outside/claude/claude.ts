/** Lets Claude Code call graphs that `madrigal mcp` offers, with a server on loopback in the place of its model. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { isRecord } from "../../../dsl/index.ts";
import { writeCountProgram } from "../../kernel/mcp-server/count-program.ts";
import { anthropicMessages } from "../../support/providers/anthropic-messages.ts";
import type { ProtocolAnswer } from "../../support/providers/protocol.ts";
import { protocolServer, type ServedRequest } from "../../support/providers/protocol-server.ts";
import { markdownTable } from "../table.ts";

const MISSING = `there is no Claude Code: MADRIGAL_CLAUDE names its binary.
Its package is not free and has 364 MB, so it is installed by hand, outside of this folder:
  npm install --prefix FOLDER --ignore-scripts @anthropic-ai/claude-code-linux-x64
  MADRIGAL_CLAUDE=FOLDER/node_modules/@anthropic-ai/claude-code-linux-x64/claude npm run outside -- claude`;

const ASK_PROGRAM = `graph Name(of: string) returns name "asks a person for a name" {
  state { name: string }
  human who { ask \`What is it called?\`; writes name }
  start -> who -> end
}`;

/** One session: the call that the model makes, and what the model must then have been told. */
interface Scene {
  readonly title: string;
  readonly program: (home: string) => string;
  readonly call: { readonly graph: string; readonly input: Readonly<Record<string, unknown>> };
  readonly told: RegExp;
}

const SCENES: readonly Scene[] = [
  {
    title: "a graph is called, and the model has its result",
    program: writeCountProgram,
    call: { graph: "Count", input: { text: "four" } },
    told: /\{"size":4\}/,
  },
  {
    title: "a graph fails, and the model has the reason",
    program: writeCountProgram,
    call: { graph: "Count", input: { text: "bad" } },
    told: /`lengthOf` threw: no length/,
  },
  {
    title: "a graph asks a person, who is not there: the model is told how it is answered",
    program: (home) => {
      const program = join(home, "name.madrigal");
      writeFileSync(program, ASK_PROGRAM);
      return program;
    },
    call: { graph: "Name", input: { of: "the song" } },
    told: /What is it called\?[\s\S]*madrigal answer/,
  },
];

/** Returns whether Claude Code offered and called each graph; false where it is not there. */
export async function runClaude(tell: (text: string) => void): Promise<boolean> {
  const { MADRIGAL_CLAUDE: binary = "" } = process.env;
  if (binary === "") {
    tell(MISSING);
    return false;
  }
  const rows: (readonly string[])[] = [];
  for (const scene of SCENES) {
    const fault = await playScene(scene, binary);
    rows.push([scene.title, fault ?? "yes"]);
  }
  tell(markdownTable(["scene", "as it should be"], rows));
  return rows.every(([, seen]) => seen === "yes");
}

/** Plays a scene in a fresh home; what is not as it should be. */
async function playScene(scene: Scene, binary: string): Promise<string | undefined> {
  const home = mkdtempSync(join(tmpdir(), "madrigal-claude-"));
  const { graph, input } = scene.call;
  const answers: readonly ProtocolAnswer[] = [
    { calls: [{ id: "toolu_1", name: `mcp__madrigal__${graph}`, input }] },
    { text: "That is all." },
  ];
  // Whatever else it asks its makers for is refused.
  const server = await protocolServer(anthropicMessages, (request) => {
    const answer = isTurn(request) ? answers[request.results.length] : undefined;
    return answer === undefined ? { kind: "status", status: 400 } : { kind: "answer", answer };
  });
  try {
    const { code, stdout, stderr } = await startClaude(binary, {
      home,
      url: server.url,
      program: scene.program(home),
    });
    const turns = server.requests.filter(isTurn);
    const [offer, result] = turns;
    if (code !== 0) return `it ended with ${code}: ${stderr.slice(0, 200)}${stdout.slice(-400)}`;
    if (!offer?.tools.includes(`mcp__madrigal__${graph}`)) return "the graph was not offered";
    if (turns.length !== 2) return `the model was asked ${turns.length} times`;
    if (!scene.told.test(result?.results.join("\n") ?? ""))
      return `the model was told ${result?.results.join("\n").slice(0, 300)}`;
    return lastLine(stdout).result === "That is all." ? undefined : stdout.slice(-400);
  } finally {
    await server.close();
    rmSync(home, { recursive: true, force: true });
  }
}

function isTurn({ tools }: ServedRequest): boolean {
  return tools.some((name) => name.startsWith("mcp__madrigal__"));
}

function lastLine(stdout: string): Readonly<Record<string, unknown>> {
  const line = JSON.parse(stdout.trim().split("\n").at(-1) ?? "null");
  return isRecord(line) ? line : {};
}

interface ClaudeOptions {
  readonly home: string;
  readonly url: string;
  readonly program: string;
}

/** Starts it with nothing of this process's environment; its proxies lead to the server, which leads nowhere. */
async function startClaude(binary: string, { home, url, program }: ClaudeOptions) {
  const madrigal = join(import.meta.dirname, "..", "..", "..", "kernel", "madrigal.js");
  const server = { command: process.execPath, args: [madrigal, "mcp", program] };
  const child = spawn(
    binary,
    [
      ...["-p", "--output-format", "stream-json", "--verbose", "--model", "stub"],
      ...[
        "--strict-mcp-config",
        "--mcp-config",
        JSON.stringify({ mcpServers: { madrigal: server } }),
      ],
      ...["--allowedTools", "mcp__madrigal", "--", "Use the tool."],
    ],
    {
      cwd: home,
      env: {
        PATH: process.env.PATH ?? "",
        HOME: home,
        MADRIGAL_HOME: home,
        ANTHROPIC_API_KEY: "no key",
        ANTHROPIC_BASE_URL: url,
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
        CLAUDE_CODE_MAX_RETRIES: "1",
        DISABLE_AUTOUPDATER: "1",
        DISABLE_TELEMETRY: "1",
        HTTPS_PROXY: url,
        HTTP_PROXY: url,
        NO_PROXY: "127.0.0.1",
      },
      stdio: ["ignore", "pipe", "pipe"],
    },
  );
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "close"),
  ]);
  return { code, stdout, stderr };
}
