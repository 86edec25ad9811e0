/** The program of our side, and its session. */
import { type Graph, Session, tool } from "../../../runtime/index.ts";
import { look, QUESTION, SYSTEM, toolDescription, toolNames, toolSchema } from "./task.ts";

const text = `
model m = "openai-compatible/mock"

graph Look() returns answer {
  state { answer: string }
  agent look_around "looks" {
    model  m
    tools  ${toolNames.join(", ")}
    system ${JSON.stringify(SYSTEM)}
    prompt ${JSON.stringify(QUESTION)}
    writes answer
    limit  100 turns
  }
  start -> look_around -> end
}
`;

export function openLook(url: string, folder: string): { session: Session; graph: Graph } {
  const scope = Object.fromEntries(
    toolNames.map((name) => [
      name,
      tool(look, { effect: "none", description: toolDescription, input: toolSchema }),
    ]),
  );
  const env = { MADRIGAL_HOME: folder, OPENAI_COMPATIBLE_BASE_URL: `${url}/v1` };
  const session = new Session({ store: "memory", cwd: folder, env });
  const { Look } = session.compile(text, { scope });
  if (Look === undefined) throw new Error("there is no graph");
  return { session, graph: Look };
}
