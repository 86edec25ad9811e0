/** The graph whose process or sandbox is killed: its code writes a line when it begins, and one when it ends. */
import { createCodeTools, type Graph, type Session } from "../../../../runtime/index.ts";

const text = `graph Work() returns out {
  state { out: { exitCode: int } }
  tool work = code.run({ language: "shell", code: "echo begun >> log.txt; sleep 0.4; echo ended >> log.txt" })
    writes out = { exitCode: result.exitCode }
  start -> work -> end
}`;

/** Compiles it for a session, with code that works in a folder. */
export function compiled(session: Session, cwd: string): Graph {
  const { Work } = session.compile(text, { scope: { code: createCodeTools({ cwd }) } });
  if (Work === undefined) throw new Error("no graph");
  return Work;
}
