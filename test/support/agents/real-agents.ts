/** The options with which the real Claude Code and the real Codex ask a server on loopback in the place of their models, with a key that is none. */
import { anthropicMessages } from "../providers/anthropic-messages.ts";
import { openAiResponses } from "../providers/openai-responses.ts";
import type { Protocol } from "../providers/protocol.ts";

export type RealAgentName = "claude_code" | "codex";

interface RealAgent {
  /** The variable that names its binary. */
  readonly variable: string;
  readonly protocol: Protocol;
  readonly options: (binary: string, url: string) => RealAgentOptions;
}

export interface RealAgentOptions {
  readonly command: readonly string[];
  readonly set: Readonly<Record<string, string>>;
  readonly model: string;
  readonly mode?: string;
  readonly idleMs: number;
}

export const REAL_AGENTS: Readonly<Record<RealAgentName, RealAgent>> = {
  claude_code: {
    variable: "MADRIGAL_CLAUDE",
    protocol: anthropicMessages,
    options: claudeOptions,
  },
  codex: { variable: "MADRIGAL_CODEX", protocol: openAiResponses, options: codexOptions },
};

function claudeOptions(binary: string, url: string): RealAgentOptions {
  const set = { ANTHROPIC_API_KEY: "no key", ANTHROPIC_BASE_URL: url, API_TIMEOUT_MS: "4000" };
  return { command: [binary], model: "stub", set, idleMs: 60_000 };
}

function codexOptions(binary: string, url: string): RealAgentOptions {
  const provider = `{ name = "stub", base_url = "${url}/v1", env_key = "STUB_KEY", wire_api = "responses", request_max_retries = 0, stream_max_retries = 0 }`;
  const settings = [
    ...['model_provider="stub"', `model_providers.stub=${provider}`],
    ...["check_for_update_on_startup=false", "analytics.enabled=false"],
  ];
  return {
    command: [binary, ...settings.flatMap((setting) => ["-c", setting])],
    ...{ model: "stub", mode: "danger-full-access", set: { STUB_KEY: "no key" }, idleMs: 60_000 },
  };
}
