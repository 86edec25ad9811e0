/** Answers the questions of a run in the place of people: by a script, by one rule for all, or by a graph that plays a person. */
import { RunError } from "../failure.ts";
import type { Answer, AskKind, Interrupt } from "../interrupt.ts";
import type { Answers } from "./auto-answers.ts";
import { readGivenFile } from "./given-files.ts";
import { ANSWERS, misfitOf, toAnswer } from "./interrupts.ts";

type AnswerFunction = Extract<Answers, (...asked: never[]) => unknown>;

/**
 * Answers by node, each question of a run with the next of its list; an answer is an `Answer` or a plain value. What the script does not
 * name is left to people, and whether a call happened; a list that is used up is M5041.
 */
function script(lines: Readonly<Record<string, readonly unknown[]>>): AnswerFunction {
  return (interrupt, before) => {
    const { node, kind } = interrupt;
    if (kind === "doubt" || !Object.hasOwn(lines, node)) return undefined;
    const at = before().filter((one) => one !== "doubt").length;
    const answers = lines[node] ?? [];
    if (at >= answers.length) throw usedUp(interrupt, at);
    return answers[at];
  };
}

export interface AutoPerson {
  /** Approves calls of tools and further rounds past a limit; false if not said. */
  readonly approves?: boolean;
  /** The answer to questions for a text. */
  readonly text?: string;
}

const NO_IDEA = "I don't know. Use your best judgment.";

/**
 * Accepts plans and results, answers every question for a text with one text, takes the first of several choices, and approves calls of
 * tools only where it is told to. Whether a call happened, nobody can answer who was not there: people are asked.
 */
function auto({ approves = false, text = NO_IDEA }: AutoPerson = {}): AnswerFunction {
  return (interrupt) => {
    const { kind, options = [] } = interrupt;
    if (kind === "doubt") return undefined;
    if (kind === "approval" || kind === "limit") {
      return approves ? { kind: "approve" } : { kind: "deny", reason: text };
    }
    const guesses: readonly Answer[] = [
      ...(kind === "input" || kind === "select" ? [] : [{ kind: "approve" } as const]),
      ...options.slice(0, 1).map((value): Answer => ({ kind: "value", value })),
      { kind: "value", value: text },
    ];
    const fitting = guesses.find((answer) => misfitOf(interrupt, answer) === undefined);
    return fitting ?? { kind: "deny", reason: text };
  };
}

/** A graph that plays a person: it is told what is asked, and returns what the person does. */
export interface PersonGraph {
  invoke(input: Record<string, unknown>, options?: object): Promise<unknown>;
}

export interface Persona {
  /** `Persona` of `madrigal/library/persona.madrigal`, or another graph with its parameters and results. */
  readonly graph: PersonGraph;
  readonly task: string;
  /** The knowledge of the person of how it is done. */
  readonly hints?: string;
  /** The answer as the person knows it, which they never say themselves. */
  readonly answer?: string;
  /** `none`: it is told nothing of the hints; `strict`: it says them without the answer; `soft`: as they are. */
  readonly helpfulness?: "none" | "soft" | "strict";
  /** The number of times that it has the same node do something over before it accepts what there is; 3 if not said. */
  readonly patience?: number;
  /** The questions that it has a say in: plans and results, questions while the plan is carried out, both; the rest is answered as `auto` does. */
  readonly part?: "both" | "execution" | "planning";
  /** The options of its runs, such as `models`. */
  readonly options?: object;
}

/** Has a graph answer as a person would who has a task, hints and so much patience. */
function persona(of: Persona): AnswerFunction {
  const { graph, task, hints = "", answer = "", helpfulness = "strict", options } = of;
  const { patience = 3, part = "both" } = of;
  const otherwise = auto();
  const isAsked = (kind: AskKind) => kind !== "doubt" && (part === "both" || part === partOf(kind));
  return async (interrupt, before) => {
    const { kind, question, shown = null, options: choices = [] } = interrupt;
    if (!isAsked(kind)) return otherwise(interrupt, before);
    const round = before().filter(isAsked).length;
    if (round >= patience && !ANSWERS[kind].every((one) => one === "value" || one === "deny"))
      return otherwise(interrupt, before);
    const output = await graph.invoke(
      {
        task,
        hints: helpfulness === "none" ? "" : hints,
        answer: helpfulness === "strict" ? answer : "",
        question,
        shown,
        choices,
        round: round + 1,
        patience,
      },
      options,
    );
    return saidBy(interrupt, output);
  };
}

const PLANNING: ReadonlySet<AskKind> = new Set(["edit", "review", "ensure"]);

function partOf(kind: AskKind): "execution" | "planning" {
  return PLANNING.has(kind) ? "planning" : "execution";
}

/** Reads the reaction of a persona: `yes`, `no` with its reason, or `say`, whose text is a choice, a form as JSON, or words for another try. */
function saidBy(interrupt: Interrupt, output: unknown): Answer {
  const { does, text } = output as { readonly does: string; readonly text: string };
  if (does === "no") return { kind: "deny", reason: text };
  const guesses: readonly Answer[] =
    does === "yes"
      ? [{ kind: "approve" }, { kind: "value", value: true }, { kind: "value", value: text }]
      : [
          { kind: "value", value: text },
          { kind: "value", value: parsed(text) },
          { kind: "revise", text },
          { kind: "deny", reason: text },
        ];
  return (
    guesses.find((answer) => misfitOf(interrupt, answer) === undefined) ?? toAnswer(interrupt, text)
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function usedUp({ id, node }: Interrupt, count: number): RunError {
  return new RunError(
    "M5041",
    `the script has ${count} answers for \`${node}\`, and it asks once more: \`${id}\``,
    {
      hint: `add another answer to the list of \`${node}\``,
      node,
    },
  );
}

/** Answers for the option `answers` of a run, in the place of people; `file` is a file of the disk as an answer. */
export const people = { script, auto, persona, file: readGivenFile };
