/** The process that is killed: it plays the right calls of one task, or goes on with the run that a dead process left. */
import { createHash } from "node:crypto";
import { writeSync } from "node:fs";
import { type Answer, type DrivenRun, type Interrupt, Session } from "../../../runtime/index.ts";
import { taskProgram } from "./task-program.ts";

const [home = "", server = "", path = "", person = "looks"] = process.argv.slice(3);

// At once: a process that is killed writes no line later.
const say = (line: string) => writeSync(1, `${line}\n`);

const ask = async <T>(what: string, about: unknown = path) => {
  const response = await fetch(server + what, { method: "POST", body: JSON.stringify(about) });
  return (await response.json()) as T;
};

/** Answers as a person does who looks into the database, or as one who has every call made again. */
async function settle({ kind, shown, tool }: Interrupt): Promise<Answer> {
  if (kind !== "doubt") throw new Error(`a question of the kind ${kind}`);
  say("doubt");
  const { request } = shown as { readonly request: unknown };
  const call = { tool: tool?.replace("world.", ""), input: request };
  const { result } = await ask<{ readonly result: string | null }>("/recall", { path, call });
  const isKnown = person === "looks" && result !== null;
  return isKnown ? { kind: "value", value: result } : { kind: "approve" };
}

const session = new Session({ cwd: home, env: { MADRIGAL_HOME: home } });
const [left] = session.list();
let run: Pick<DrivenRun, "output">;
if (left === undefined) {
  const { calls } = await ask<{ calls: Parameters<typeof taskProgram>[1] }>("/gold");
  const { Task } = session.compile(taskProgram(server + path, calls), { scope: {} });
  if (Task === undefined) throw new Error("no graph");
  run = Task.run({}, { answers: settle });
} else {
  const found = session.open(left.runId, { answers: settle });
  void found.resume();
  run = found;
}
const output = await run.output;
say(`results ${createHash("sha256").update(JSON.stringify(output)).digest("hex")}`);
await session.close();
