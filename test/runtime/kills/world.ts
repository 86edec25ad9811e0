/** A run whose side effects stand in a file outside of it: what a kill can't take back, and what can be counted. */
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import {
  type Answer,
  type Graph,
  type Interrupt,
  type Session,
  tool,
} from "../../../runtime/index.ts";

const TEXT = `graph Work(n: int = 10) returns done {
  state {
    todo: int[] = []
    done: string[] = [] via append
  }
  run plan = plan(n) writes todo
  run pack(i: int) = pack(i) writes done
  tool send(i: int) = send({ i: i }) writes done
  start -> plan -> each i of todo parallel 3 { pack(i) -> send(i) } -> end
}`;

/** What an unbroken run comes to. */
export const unbroken = {
  done: Array.from({ length: 10 }, (_, i) => [`packed ${i}`, `sent ${i}`]).flat(),
};

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
  };
  const { Work } = session.compile(TEXT, { scope });
  if (Work === undefined) throw new Error("no graph");
  return Work;
}

/** What a person says who can look into that file: a call that left its line there has happened. */
export function inDoubt(file: string, asked: () => void) {
  return ({ shown }: Interrupt): Answer => {
    asked();
    const { request } = shown as { readonly request: { readonly i: number } };
    const line = `sent ${request.i}`;
    return doneIn(file).includes(line) ? { kind: "value", value: line } : { kind: "approve" };
  };
}

/** The lines of that file. */
export function doneIn(file: string): readonly string[] {
  return existsSync(file) ? readFileSync(file, "utf8").split("\n").slice(0, -1) : [];
}
