/** The command line as a test sees it: words in, what was said and the exit code out, without ids, times and folders. */

import { mkdirSync, writeFileSync } from "node:fs";
import { constants } from "node:os";
import { dirname, join } from "node:path";
import { type ChildOptions, type Ended, temporaryFolder } from "../../support/child.ts";
import { madrigal } from "../../support/warm/madrigal.ts";
import { withoutRunIds } from "../../support/without-run-ids.ts";

/** A folder that is workspace, working folder and home in one, with these files. */
export function workspace(files: Readonly<Record<string, string | Uint8Array>> = {}): string {
  const home = temporaryFolder();
  for (const [name, content] of Object.entries(files)) put(home, name, content);
  return home;
}

export function put(home: string, name: string, content: string | Uint8Array): void {
  const path = join(home, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}

type Extra = Omit<ChildOptions, "home">;

/** Everything a call said: its exit code, stdout, then stderr behind `!`. */
export async function said(home: string, args: readonly string[], extra?: Extra): Promise<string> {
  return textOf(await madrigal(args, { home, ...extra }), home);
}

export function textOf(ended: Ended, home: string): string {
  const stderr = ended.stderr === "" ? "" : ended.stderr.trimEnd().replaceAll(/^/gm, "! ");
  return normal([`exit ${exitCode(ended)}`, ended.stdout.trimEnd(), stderr], home);
}

/** As a shell counts it. */
export function exitCode({ code, signal }: Ended): number {
  return code ?? 128 + (signal === null ? 0 : constants.signals[signal]);
}

/** The one document on stdout, with the exit code beside it. */
export async function document(
  home: string,
  args: readonly string[],
  extra?: Extra,
): Promise<{ readonly exit: number; readonly json: Record<string, unknown> }> {
  const ended = await madrigal([...args, "--json"], { home, ...extra });
  const json: unknown = JSON.parse(normal([ended.stdout], home));
  return { exit: exitCode(ended), json: json as Record<string, unknown> };
}

function normal(parts: readonly string[], home: string): string {
  const text = parts.filter((part) => part !== "").join("\n");
  return withoutRunIds(text.replaceAll(home, "HOME"))
    .replaceAll(/cli-\d+ \(pid \d+ on [^,]+,/g, "OWNER (")
    .replaceAll(/\b[0-9a-f]{64}\b/g, "HASH")
    .replaceAll(/ +\d+\.\d\ds/g, " TIME")
    .replaceAll(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+Z)?/g, "DATE")
    .replaceAll(/"(duration_ms|dur_us)": \d+/g, '"$1": 0');
}

export const hello = "export const hello = (name: string) => `hello ${name}`;\n";

/** A graph of one function and one model that is no model. */
export const greet = `import { hello } from "./hello.ts"
model m = "rules"
graph Greet(name: string) returns greeting, wish {
  state {
    greeting: string
    wish: string
  }
  run greet = hello(name) writes greeting
  agent wish { model m; prompt \`Wish \${name} a good day.\`; writes wish }
  start -> greet -> wish -> end
}
`;
