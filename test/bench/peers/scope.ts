/** The functions behind both sides of a scene; each call of one is a line in a file, which outlives a process that is killed. */
import { spawnSync } from "node:child_process";
import { appendFileSync } from "node:fs";
import { check, joined, judged, press } from "../../../notebooks/systems/agent-world/workshop.ts";
import { createMail } from "../../../notebooks/systems/eko/mail.ts";
import { createHouse } from "../../../notebooks/systems/shared-state/house.ts";
import { scriptedController, type ToolOptions, tool } from "../../../runtime/index.ts";

type Functions = Readonly<Record<string, (...args: never[]) => unknown>>;

/** Returns the scope of a system; strong agents speak with the voices behind the address. */
export function scopeOf(
  system: string,
  file: string,
  url: string,
): Readonly<Record<string, unknown>> {
  const told = (name: string, functions: Functions) =>
    Object.fromEntries(
      Object.entries(functions).map(([key, act]) => [key, logged(act, `${name}.${key}`, file)]),
    );
  if (system === "shared-state") return { house: told("house", createHouse().house) };
  if (system === "eko") {
    const { mail } = createMail({ Ghent: "A lamp costs 30.", Bruges: "A lamp costs 25." });
    return { mail: told("mail", mail) };
  }
  if (system === "agent-world") {
    const agent = scriptedController(({ operator, instruction }) => ({
      says: askStrong(url, operator, instruction),
    }));
    // Under LangGraph there is no controller: a node asks by itself.
    const strong = (name: string, { prompt, shape }: Asked) =>
      shape.parse(askStrong(url, name, prompt));
    const controllers = { codex: () => agent, claude_code: () => agent };
    return { ...controllers, strong, check, joined, judged, press: told("press", press) };
  }
  if (system === "magentic") {
    const page = { visit: says("a page", "url") };
    const web = { search: says("a hit", "query"), read: says("300 and 250", "url") };
    const files = Object.fromEntries(
      ["open", "list", "find", "grep"].map((name) => [name, says("a file", "name")]),
    );
    const acts = { effect: "workspace", baseline: "maybe" } as const;
    const ran = { exitCode: 0, blocks: 1, text: "50" };
    const code = { run: says("50", "code", acts), runBlocks: says(ran, "text", acts) };
    return {
      browser: told("browser", page),
      web: told("web", web),
      folder: told("folder", files),
      code: told("code", code),
    };
  }
  const docs = { search: says("a hit", "query"), read: says("a document", "file") };
  const browser = {
    visit: says("a page", "url"),
    read: says("its text", "url"),
    click: says("another page", "url"),
  };
  const checkQuotes = async <T>(findings: readonly T[]) => findings;
  return { docs: told("docs", docs), browser: told("browser", browser), checkQuotes };
}

/** A tool that says the same to every call. */
function says(what: unknown, member: string, options: Partial<ToolOptions> = {}) {
  const text = { type: "string" } as const;
  return tool(async (_asked: object) => what, {
    ...{ effect: "none", parallel: true, description: JSON.stringify(what) },
    input: { type: "object", properties: { [member]: text }, required: [member] },
    ...options,
  });
}

interface Asked {
  readonly prompt: string;
  readonly shape: { parse(value: unknown): unknown };
}

/** Asks the voice of a strong agent, in a process beside this one: the script of a controller does not wait. */
function askStrong(url: string, name: string, prompt: string): unknown {
  const body = JSON.stringify({ model: name, messages: [{ role: "user", content: prompt }] });
  const ask =
    "fetch(process.argv[1], { method: 'POST', body: process.argv[2] }).then((r) => r.text()).then(console.log)";
  const args = ["-e", ask, `${url}/chat/completions`, body];
  const { stdout } = spawnSync(process.execPath, args, { encoding: "utf8" });
  return JSON.parse(JSON.parse(stdout).choices[0].message.content);
}

/** The same tool, with a line in the file for each call. */
function logged(act: (...args: never[]) => unknown, name: string, file: string): unknown {
  const call = (...args: never[]) => {
    appendFileSync(file, `${name} ${JSON.stringify(args[0] ?? {})}\n`);
    return act(...args);
  };
  const options = Object.getOwnPropertySymbols(act).map((symbol) => [
    symbol,
    Reflect.get(act, symbol),
  ]);
  return Object.assign(call, Object.fromEntries(options));
}
