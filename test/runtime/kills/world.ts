/** A run whose side effects stand in a file outside of it: what a kill can't take back, and what can be counted. */
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import type { FunctionContext } from "../../../runtime/agents/functions/function-context.ts";
import {
  type Answer,
  type Graph,
  type Interrupt,
  type Session,
  scripted,
  tool,
} from "../../../runtime/index.ts";

const TEXT = `model m = "scripted"
memory packed: string
graph Work(n: int = 10) returns done, talk {
  state {
    todo: int[] = []
    done: string[] = [] via append
    talk: Messages
  }
  run plan = plan(n) writes todo
  run pack(i: int) = pack(i) writes done { store result into packed }
  tool send(i: int) = send({ i: i }) writes done
  run book(i: int) = book(i) writes done { effects external }
  run bill(i: int) = bill(i) writes done { effects external }
  start -> plan -> each i of todo parallel 3 { pack(i) -> send(i) -> book(i) -> bill(i) }
    -> ann -> bob -> ann2 -> end
  agent ann { model m prompt "How many?" history talk writes talk }
  agent bob { model m prompt "Really?" history talk writes talk }
  agent ann2 { model m prompt "Sure?" history talk writes talk }
}`;

/** Fresh ones for each process: each agent is asked once. */
export const voices = () => ({
  models: { m: scripted({ ann: ["Ten."], bob: ["Ten?"], ann2: ["Ten!"] }) },
});

/** The conversation of the agents. */
const talk = [
  ["user", "How many?"],
  ["assistant", "Ten."],
  ["user", "Really?"],
  ["assistant", "Ten?"],
  ["user", "Sure?"],
  ["assistant", "Ten!"],
];

/** The outcome of an unbroken run. */
export const unbroken = {
  done: Array.from({ length: 10 }, (_, i) => [
    `packed ${i}`,
    `sent ${i}`,
    `booked ${i}`,
    `billed ${i}`,
  ]).flat(),
  talk,
};

/** The commits of an unbroken run: the plan, the items, the agents. */
export const commits = unbroken.done.length + 1 + talk.length / 2;

/** The output of a run, with what was said alone of each message. */
export function outputOf(output: unknown): unknown {
  const { done, talk: said } = output as { done: unknown; talk: readonly Said[] };
  return { done, talk: said.map(({ role, content }) => [role, content]) };
}

interface Said {
  readonly role: string;
  readonly content: string;
}

/** What is done outside on the way, and no part of the output. */
export const notes = Array.from({ length: 10 }, (_, i) => `noted ${i}`);

/** Whether a line tells of something outside, which must not be done twice. */
export const isOutside = (line: string) => !line.startsWith("packed");

/** The graph, with functions that leave a line in `file` for each thing that they do. */
export function workIn(session: Session, file: string): Graph {
  const did = async (line: string) => {
    await wait(4);
    appendFileSync(file, `${line}\n`);
    await wait(4);
    return line;
  };
  const send = tool(async ({ i }: { i: number }) => await did(`sent ${i}`), {
    effect: "external",
    input: { type: "object", properties: { i: { type: "integer" } }, required: ["i"] } as const,
  });
  const scope = {
    plan: (n: number) => Array.from({ length: n }, (_, i) => i),
    pack: (i: number) => did(`packed ${i}`),
    send,
    // It has no steps: as a whole it has happened, or not.
    book: (i: number) => did(`booked ${i}`),
    // Its steps have: what is recorded of them is served.
    bill: async (i: number, ctx: FunctionContext) => {
      await ctx.step(`noted ${i}`, () => did(`noted ${i}`));
      return await ctx.step(`billed ${i}`, () => did(`billed ${i}`));
    },
  };
  const { Work } = session.compile(TEXT, { scope });
  if (Work === undefined) throw new Error("no graph");
  return Work;
}

/**
 * What a person says who can look into that file: a call that left its line there has happened. What bills is called again
 * between its steps, which are asked about by themselves.
 */
export function inDoubt(file: string, asked: () => void) {
  return ({ shown }: Interrupt): Answer => {
    asked();
    const line = lineOf(shown as Shown);
    return doneIn(file).includes(line) ? { kind: "value", value: line } : { kind: "approve" };
  };
}

interface Shown {
  readonly call: string;
  readonly request?: { readonly i: number } | readonly [number];
}

/** The line that a call in doubt leaves: a step has it as its name. */
function lineOf({ call, request }: Shown): string {
  if (request === undefined) return call;
  if ("i" in request) return `sent ${request.i}`;
  return call === "book" ? `booked ${request[0]}` : `billed ${request[0]}`;
}

/** The lines of that file. */
export function doneIn(file: string): readonly string[] {
  return existsSync(file) ? readFileSync(file, "utf8").split("\n").slice(0, -1) : [];
}
