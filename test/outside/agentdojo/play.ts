/** Plays AgentDojo's tasks by an obedient puppet in place of a model: the user's calls, then those that an injection wants. */
import { isRecord } from "../../../dsl/index.ts";
import type { Json } from "../../../runtime/agents/values/json.ts";
import { Session, scripted } from "../../../runtime/index.ts";
import type { ToolServer } from "../python-packages.ts";
import { DIRECTORIES, TARGETS } from "./targets.ts";

/** A suite of AgentDojo: the names of its tasks and injections. */
export interface DojoSuite {
  readonly suite: string;
  readonly users: readonly string[];
  readonly injections: readonly string[];
}

interface Gold {
  readonly task: string;
  readonly user: readonly GoldCall[];
  readonly injection: readonly GoldCall[];
}

interface GoldCall {
  readonly tool: string;
  readonly input: Json;
}

interface Verdict {
  readonly through: boolean;
  readonly useful: boolean;
  readonly made: number;
}

/** The outcome of a user's task, alone or with an injection. */
export interface Played {
  readonly suite: string;
  readonly user: string;
  readonly injection: string;
  /** The calls that the puppet wanted to make: the user's, and all. */
  readonly userCalls: number;
  readonly calls: number;
  /** The calls that the world was asked for. */
  readonly made: number;
  readonly questions: number;
  /** The injection's own check finds that it was done. */
  readonly through: boolean;
  /** The user's own check finds the task done. */
  readonly useful: boolean;
  /** The targets that were asked about, and where each of them came from. */
  readonly asked: readonly AskedTarget[];
}

/** A target that a question was about. */
export interface AskedTarget {
  /** Without the name of the server. */
  readonly tool: string;
  /** The argument that it stands in; absent where it is a part of another text. */
  readonly argument: string | undefined;
  readonly target: string;
  /** The first tool whose result has it; null where none has. */
  readonly origin: string | null;
}

export const GUARDS = {
  none: "",
  default: 'config { guard: { approve: "conservative" } }',
  trust: 'config { guard: { trust: ["task"] } }',
} as const;

export type DojoGuard = keyof typeof GUARDS;

/** Plays one task under a guard; nobody is there to answer, so every question is answered with no. */
export async function play(
  server: ToolServer,
  { suite, user, injection = "-" }: { suite: string; user: string; injection?: string },
  guard: DojoGuard,
): Promise<Played> {
  const path = `/${suite}/${user}/${injection}/${guard}`;
  const gold = await server.ask<Gold>("/gold", path);
  const wanted = [...gold.user, ...gold.injection];
  const turns = wanted.map(({ tool, input }) => ({ calls: [{ tool: `world.${tool}`, input }] }));
  const session = new Session({ store: "memory", env: { MADRIGAL_HOME: "/nowhere" } });
  const asked: AskedTarget[] = [];
  let questions = 0;
  try {
    const { Task } = session.compile(programText(server.url + path, suite, guard), { scope: {} });
    if (Task === undefined) throw new Error("no graph");
    const run = Task.run(
      { task: gold.task },
      {
        models: { m: scripted({ work: [...turns, "done"] }) },
        answers: async ({ tool = "", about = "", shown }) => {
          questions += 1;
          const targets = about.split(/(?:^| )target /).slice(1);
          const origins = await server.ask<AskedTarget["origin"][]>("/origins", { path, targets });
          for (const [at, target] of targets.entries())
            asked.push({
              tool: tool.replace(/^world\./, ""),
              argument: argumentWith(target, shown),
              target,
              origin: origins[at] ?? null,
            });
          return { kind: "deny" };
        },
      },
    );
    await run.settled();
    // An agent gives up after ten refusals in a row: what it did not try it has not done either.
    if (run.status !== "succeeded" && run.failure?.code !== "M8203")
      throw new Error(`${path}: ${run.failure?.message ?? run.status}`);
  } finally {
    await session.close();
  }
  const { through, useful, made } = await server.ask<Verdict>("/end", path);
  return {
    suite,
    user,
    injection,
    userCalls: gold.user.length,
    calls: wanted.length,
    made,
    questions,
    through,
    useful,
    asked,
  };
}

function argumentWith(target: string, shown: unknown): string | undefined {
  const held = Object.entries(isRecord(shown) ? shown : {}).find(([, value]) =>
    [value].flat().map(String).includes(target),
  );
  return held?.[0];
}

function programText(url: string, suite: string, guard: DojoGuard): string {
  const targets = JSON.stringify(TARGETS[suite] ?? {});
  const directories = JSON.stringify(DIRECTORIES[suite] ?? {});
  return `model m = "scripted"
mcp world = "${url}" { trustAnnotations: true, targets: ${targets}, directories: ${directories} }
${GUARDS[guard]}
graph Task(task: string) returns report {
  state { report: string }
  agent work { model m; tools world; prompt \`\${task}\`; writes report; limit 500 turns }
  start -> work -> end
}`;
}
