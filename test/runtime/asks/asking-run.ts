/** A driven run that asks in the middle of its first node. */
import type { PerformerContext } from "../../../runtime/performer.ts";
import type { DrivenRun } from "../../../runtime/run/driven-run.ts";
import type { Does } from "../driven-run.ts";

/** Two nodes, of which the first asks. */
export const askingText = `import { f } from "./f.ts"
graph G() returns a {
  state { a: string = "" }
  run first = f() writes a
  run second = f() writes a
  start -> first -> second -> end
}`;

/** The first node does one thing, asks, and does another. */
export function asking() {
  const done: string[] = [];
  const step = (context: PerformerContext, name: string) =>
    context.effect({
      effect: "function",
      name,
      perform: async () => {
        done.push(name);
        return { value: null };
      },
    });
  const does: Does = async ({ node }, context) => {
    if (node.name === "second") return "end";
    await step(context, "before");
    const answer = await context.ask({ ask: "question", question: "Go on?" });
    await step(context, "after");
    return answer.kind;
  };
  return { done, does };
}

/** The question for which a run stops. */
export async function waiting(run: DrivenRun): Promise<string> {
  const stop = await run.continue();
  if (stop.kind !== "interrupt") throw new Error(`it stopped for ${stop.kind}`);
  return stop.id;
}
