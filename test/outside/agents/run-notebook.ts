/** Executes the notebook of strong agents with the real ones that are there. */
import { spawn } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { isCode, type Output } from "../../../kernel/notebook/notebook.ts";
import { readNotebook } from "../../../kernel/notebook/read-notebook.ts";
import { REAL_AGENTS, type RealAgentName } from "../../support/agents/real-agents.ts";
import { projectNode, projectRoot } from "../../support/child.ts";
import { freshHome } from "./fresh-home.ts";

export const NOTEBOOK_TITLE = "the notebook of strong agents runs to its end";

const NAME = "strong-agents.ipynb";

/** Returns the fault that was found: it failed, or not all of these agents were the real ones. */
export async function runNotebook(agents: readonly RealAgentName[]): Promise<string | undefined> {
  const home = freshHome();
  const variables = agents.map((name) => REAL_AGENTS[name].variable);
  const words = ["exec", join("notebooks", NAME), "--out", home];
  const child = spawn(projectNode, [join("kernel", "madrigal.js"), ...words], {
    cwd: projectRoot,
    env: {
      ...{ PATH: process.env.PATH, HOME: home, MADRIGAL_HOME: home },
      ...Object.fromEntries(variables.map((name) => [name, process.env[name]])),
    },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  try {
    const stderr = await text(child.stderr);
    if ((await ended) !== 0) return stderr;
    const told = streams(join(home, NAME));
    const wanted = [...agents.map((name) => `${name}: the real `), "3 untouched", "told: look at"];
    const missing = wanted.filter((one) => !told.includes(one));
    return missing.length === 0 ? undefined : `not told: ${missing.join("; ")}`;
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

function streams(file: string): string {
  const { cells } = readNotebook(readFileSync(file, "utf8"), file);
  const outputText = (output: Output) => {
    if (output.output_type === "stream") return output.text;
    return output.output_type === "error" ? [] : (output.data["text/plain"] ?? []);
  };
  return cells
    .filter(isCode)
    .flatMap(({ outputs }) => outputs.flatMap(outputText))
    .join("");
}
