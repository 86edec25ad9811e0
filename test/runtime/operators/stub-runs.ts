/** Runs graphs whose operator is Claude Code, played by a stub that speaks its wire. */
import { onTestFinished } from "vitest";
import { type Graph, type RunEvent, type Scope, Session } from "../../../runtime/index.ts";
import { type StubbedAgent, stubCommand } from "../../support/agents/agent-stubs.ts";
import { temporaryFolder } from "../../support/child.ts";

export interface StubbedGraph {
  readonly graph: Graph;
  readonly session: Session;
  /** The home of the agent, and the folder of the program. */
  readonly home: string;
}

/** The options of a controller as a program writes them; `set` is beside the scene. */
export interface StubOptions {
  readonly agent?: StubbedAgent;
  readonly options?: string;
  readonly set?: Readonly<Record<string, string>>;
  readonly clauses?: string;
  readonly type?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** The graph `Change(task)` of one operator `code` that writes `patch`. */
export function stubbedGraph(scene: string, of: StubOptions = {}): StubbedGraph {
  const { clauses = "", type = "string", env } = of;
  const text = `graph Change(task: string) returns patch {
    state { patch: ${type} }
    operator code "changes the files" { controller ${stubController(scene, of)}; prompt \`\${task}\`; writes patch; ${clauses} }
    limit 20 steps
    start -> code -> end
  }`;
  return stubbedProgram(text, env === undefined ? {} : { env });
}

export function stubController(
  scene: string,
  { options = "", set = {}, agent = "claude_code" }: StubOptions = {},
): string {
  const command = JSON.stringify(stubCommand(agent));
  const variables = JSON.stringify({ STUB_SCENE: scene, ...set });
  return `${agent}(command: ${command}, set: ${variables}${options === "" ? "" : `, ${options}`})`;
}

export function stubbedProgram(
  text: string,
  {
    env = {},
    scope,
  }: { readonly env?: Readonly<Record<string, string>>; readonly scope?: Scope } = {},
): StubbedGraph {
  const home = temporaryFolder("madrigal-agent-");
  const session = new Session({
    cwd: home,
    env: { PATH: process.env.PATH, HOME: home, ...env },
  });
  onTestFinished(() => session.close());
  const [graph] = Object.values(
    session.compile(text, {
      file: `${home}/program.madrigal`,
      ...(scope === undefined ? {} : { scope }),
    }),
  );
  if (graph === undefined) throw new Error("the text has no graph");
  return { graph, session, home };
}

/** The events of a run, once it has ended. */
export async function allEvents(events: AsyncIterable<unknown>): Promise<readonly RunEvent[]> {
  const found: RunEvent[] = [];
  for await (const event of events as AsyncIterable<RunEvent>) found.push(event);
  return found;
}
