/** The graph whose runs are generated: nothing here has ever been run, and every name says so. */
import { check, type Ir } from "../../../dsl/index.ts";

export const GRAPH = "GeneratedSearch";

const TEXT = `// Runs of this graph are generated: no model was asked, no tool was called.
model large = "scripted"
model small = "scripted"

type Task = { query: string, why: string }
type Finding = { source: string, claim: string }

graph ${GRAPH}(question: string) returns report {
  state {
    tasks:    Task[] = []
    findings: Finding[] = [] via append
    verdict:  string = ""
    report:   string = ""
  }
  agent plan { model large; prompt \`Split \${question}\`; writes tasks }
  agent search(task: Task) { model small; prompt \`Search for \${task.query}\`; writes findings; retry 2 }
  agent review { model large; prompt \`Judge \${findings}\`; writes verdict }
  agent write { model large; prompt \`Report \${findings}\`; writes report }
  start -> plan -> each task of tasks parallel 4 { search(task) } -> review -> write -> end
}`;

/** Its IR: the drawing and the completions of these runs are those of any graph. */
export function generatedGraph(): Ir {
  const { graphs, diagnostics } = check({ file: "generated.madrigal", text: TEXT });
  const [ir] = graphs;
  if (ir === undefined) throw new Error(diagnostics.map(({ message }) => message).join("\n"));
  return ir;
}
