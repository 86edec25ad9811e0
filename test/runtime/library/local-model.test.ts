/**
 * The programs of the library on a real language model of 135M parameters, which is often wrong, and with a person that it plays. What
 * it says is its own; these tests hold what must be so whatever it says: each run ends in one of the ways that the manual names for
 * its program, within its limits, and its log replays.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { LanguageModelV4, LanguageModelV4CallOptions } from "@ai-sdk/provider";
import { test as baseTest, describe, expect, vi } from "vitest";
import { LIBRARY_GRAPHS } from "../../../dsl/index.ts";
import {
  models,
  people,
  type Run,
  type RunError,
  rules,
  type Session,
  scripted,
  tool,
} from "../../../runtime/index.ts";
import { projectRoot } from "../../support/child.ts";
import { missing } from "../../support/python-env.ts";
import { smallModel } from "../../support/small-model.ts";
import { newSession } from "../scoped-run.ts";
import { done, libraryGraph, magentic, next, planned, step } from "./magentic-run.ts";

vi.setConfig({ testTimeout: 240_000 });

const reason = await missing("small-model");
const test = baseTest.skipIf(reason !== undefined);

const task = "Compare the price of two phones.";

/** The tokens of one answer, and those of a whole run, which its graph declares beside its own limits. */
const ANSWER_TOKENS = 32;
const RUN_TOKENS = 800;

const env = { ...smallModel, HOME: process.env.HOME };

/** The model, whose texts end with their first sentence. */
function small(): LanguageModelV4 {
  const { model } = models.resolveModel("gguf/smollm2", { env });
  const brief = (call: LanguageModelV4CallOptions) => ({
    ...call,
    maxOutputTokens: ANSWER_TOKENS,
    ...(call.responseFormat?.type === "json" ? {} : { stopSequences: ["."] }),
  });
  return {
    ...model,
    doGenerate: (call) => model.doGenerate(brief(call)),
    doStream: (call) => model.doStream(brief(call)),
  };
}

/** The ends that the manual names for a program, by its graph: `an answer`, or codes. */
function endsOfManual(): ReadonlyMap<string, readonly string[]> {
  const text = readFileSync(join(projectRoot, "dsl/manual/11-imports.md"), "utf8");
  const rows = [
    ...text.matchAll(/^\| `(\w+)` \| ((?:an answer|M\d{4})(?:, (?:an answer|M\d{4}))*) \|$/gm),
  ];
  return new Map(rows.map(([, graph = "", ends = ""]) => [graph, ends.split(", ")]));
}

const ENDS = endsOfManual();

const INPUTS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  Chat: { message: task },
  Debate: { question: task, sides: ["the first", "the second"], rounds: 1 },
  Eko: { task },
  Magentic: { task, cooperative: false },
  MapReduce: { task, items: ["a", "b"], size: 2 },
  PlanCodeReview: { task, rounds: 1 },
  PlanWorkReduce: { task },
  ResearchCritique: { question: task, rounds: 1 },
  Routed: { description: "a counter at 0", goal: "the counter is at 2" },
  Sentinel: { task: "the price", condition: "there is a price" },
};

const none = { effect: "none", description: "does nothing", input: { type: "object" } } as const;
const ran = { exitCode: 0, blocks: 1, text: "it works" };
const scope = {
  code: { run: tool(() => ran, none), runBlocks: tool(() => ran, none) },
  docs: {
    search: tool(() => ({ hits: [] }), none),
    read: tool(() => ({ text: "a page" }), none),
  },
};

/** The names of the models of a program and of those that it imports. */
function aliasesOf(program: string): readonly string[] {
  const text = readFileSync(join(projectRoot, `runtime/library/${program}.madrigal`), "utf8");
  const imported = [...text.matchAll(/from "\.\/([\w-]+)\.madrigal"/g)];
  return [
    ...[...text.matchAll(/^model (\w+) =/gm)].map(([, alias = ""]) => alias),
    ...imported.flatMap(([, name = ""]) => aliasesOf(name)),
  ];
}

/** The program with a limit of tokens more, and without waits between two looks. */
function bounded(text: string): string {
  return text
    .replace(/^ {2}limit .*$/m, (line) => `${line}, ${RUN_TOKENS} tokens`)
    .replace("30s..1h", "1ms..2ms");
}

test("the manual names each program that is run here", () => {
  expect([...ENDS.keys()]).toEqual(Object.keys(INPUTS));
});

describe("on the small model", () => {
  test.each(Object.entries(INPUTS))(
    "%s ends within its limits, as the manual says",
    async (name, input) => {
      const session = newSession({ env });
      const program = LIBRARY_GRAPHS[name] ?? "";
      const graph = libraryGraph(program, name, { session, scope, edit: bounded });
      const model = small();
      const aliases = aliasesOf(program);
      const run = graph.run(input, {
        models: Object.fromEntries(aliases.map((alias) => [alias, model])),
        answers: people.auto({ approves: true }),
      });
      const end = await run.output.then(
        () => ({ kind: "an answer", hint: "" }),
        ({ code, hint = "" }: RunError) => ({ kind: code, hint }),
      );
      expect(ENDS.get(name)).toContain(end.kind);
      expect(end.kind === "an answer" || end.hint.length > 0, `${end.kind} says what to do`).toBe(
        true,
      );
      const { inputTokens, outputTokens } = run.usage;
      expect(inputTokens + outputTokens).toBeLessThan(2 * RUN_TOKENS);
      expect(run.replay().ok).toBe(true);
    },
  );
});

const XML = `<root><name>P</name><agents><agent name="Writer" id="0" dependsOn=""><task>Compare</task></agent></agents></root>`;
const toPlanner = { calls: [{ tool: "handoff", input: { to: "planning_it", task } }] };

type Person = ReturnType<typeof people.persona>;

/** Runs of programs by a script, whose person is asked for a plan, for code, for a further wish. */
const ASKING: Readonly<Record<string, (session: Session, answers: Person) => Run>> = {
  Eko: (session, answers) =>
    libraryGraph("eko", "Eko", { session }).run(
      { task },
      {
        answers,
        models: {
          talker: scripted({ chat: [toPlanner], conclude: ["8 is less."] }),
          planner: rules(() => XML),
          worker: scripted(["8"]),
        },
      },
    ),
  Magentic: (session, answers) =>
    magentic(
      {},
      {
        ...{ session, answers },
        script: {
          planner: [planned(step("a", "coder_agent")), planned(step("b", "coder_agent"))],
          track: [next("coder_agent"), done("8 is less")],
          coder_agent: ["8 is less"],
          finish: ["8 is less."],
        },
      },
    ),
  PlanCodeReview: (session, answers) =>
    libraryGraph("plan-code-review", "PlanCodeReview", { session, scope }).run(
      { task },
      { answers },
    ),
};

describe("with a person that the small model plays", () => {
  test.each(Object.entries(ASKING))(
    "%s is answered to its end, or waits and says why",
    async (_, start) => {
      const session = newSession({ env });
      const asked: string[] = [];
      const persona = people.persona({
        graph: libraryGraph("persona", "Persona", { session }),
        ...{ task, hints: "The second phone is cheap.", patience: 1 },
        options: { models: { player: small() } },
      });
      const run = start(session, async (question, before) => {
        asked.push(question.node);
        return await persona(question, before);
      });
      const end = await run.output.then(
        () => "an answer",
        ({ code }: RunError) => code,
      );
      expect(asked.length).toBeGreaterThan(0);
      // A person without an answer leaves the question to the next one.
      expect([end, run.status, run.interrupts.length]).toEqual(
        end === "an answer" ? [end, "succeeded", 0] : ["M5301", "waiting", 1],
      );
      expect(run.replay().ok).toBe(true);
    },
  );
});
