/** The recorded wires of Claude Code and Codex: programs of the project's clone that speak as those do, with no model behind them. */
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

const SCRIPTS = { claude_code: "claude-stub.js", codex: "codex-stub.js" } as const;
const stubs = stubsAbove(import.meta.dirname);

/** Writes a controller as a program does: the wire of an agent in this folder, which plays that scene. */
export function recorded(
  agent: keyof typeof SCRIPTS,
  home: string,
  scene: string,
  set: Readonly<Record<string, string>> = {},
): string {
  const options = {
    command: [process.execPath, join(stubs, SCRIPTS[agent])],
    cwd: home,
    source: "cassette",
    set: { HOME: home, STUB_SCENE: scene, ...set },
  };
  const written = Object.entries(options).map(
    ([name, value]) => `${name}: ${JSON.stringify(value)}`,
  );
  return `${agent}(${written.join(", ")})`;
}

/** The same of an agent that says one value. */
export function saying(agent: keyof typeof SCRIPTS, home: string, value: unknown): string {
  return recorded(agent, home, "says", { STUB_SAYS: JSON.stringify(value) });
}

function stubsAbove(folder: string): string {
  const found = join(folder, "test/support/agents");
  if (existsSync(found)) return found;
  if (dirname(folder) === folder)
    throw new Error("the recorded wires are a part of the project's clone");
  return stubsAbove(dirname(folder));
}
