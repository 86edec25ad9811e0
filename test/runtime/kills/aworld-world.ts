/** AWorld's DeepSearch with searches and visits that leave a line outside of the run, and voices that answer by what they are asked. */
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import {
  type Answer,
  type Graph,
  type Interrupt,
  rules,
  type Session,
  tool,
} from "../../../runtime/index.ts";
import { projectRoot } from "../../support/child.ts";

const TASKS = 6;
const numbers = Array.from({ length: TASKS }, (_, number) => number);

/** Everything that an unbroken run does outside, each once. */
export const outside = [
  ...numbers.map((number) => `searched q${number}`),
  ...numbers.filter(isOnSite).map((number) => `visited q${number}`),
].toSorted();

function isOnSite(number: number): boolean {
  return number % 2 === 1;
}

/** The graph, maybe with another text; what its tools do is a line in `file`. */
export function deepSearchIn(
  session: Session,
  file: string,
  change = (text: string) => text,
): Graph {
  const did = async (line: string) => {
    await wait(4);
    appendFileSync(file, `${line}\n`);
    await wait(4);
    return line;
  };
  const counted = (word: string, member: "query" | "url") =>
    tool(async (input: Readonly<Record<string, string>>) => await did(`${word} ${input[member]}`), {
      effect: "external",
      description: word,
      input: { type: "object", properties: { [member]: { type: "string" } }, required: [member] },
    });
  const nothing = tool(() => "nothing", {
    effect: "none",
    description: "does nothing",
    input: { type: "object" },
  });
  const scope = {
    docs: { search: counted("searched", "query"), read: nothing },
    browser: { visit: counted("visited", "url"), read: nothing, click: nothing },
    checkQuotes: (found: readonly unknown[]) => found,
  };
  const program = join(
    projectRoot,
    "notebooks/systems/aworld-deep-search/aworld-deep-search.madrigal",
  );
  const { DeepSearch } = session.compile(change(readFileSync(program, "utf8")), { scope });
  if (DeepSearch === undefined) throw new Error("no graph");
  return DeepSearch;
}

const found = (number: number, from: string) => ({
  ...{ package: from, file: `${from}/q${number}.md`, heading: "", quote: `${from} ${number}` },
});

/** They answer by what they are asked alone: whoever goes on is answered as the one before would have been. */
export function voices() {
  const model = rules(({ messages }) => {
    const prompt = JSON.stringify(messages.findLast(({ role }) => role === "user"));
    const isBack = messages.some(({ role }) => role === "tool");
    const number = Number(/Search for: q(\d)/.exec(prompt)?.[1]);
    const query = `q${number}`;
    if (prompt.includes("Split the question")) return { json: planFor(prompt) };
    if (prompt.includes("Look at the site")) {
      return isBack
        ? { json: [found(number, "site")] }
        : { calls: [{ tool: "browser_visit", input: { url: query } }] };
    }
    if (prompt.includes("Find up to 4 sentences")) {
      const learned = [{ skill: query, actions: ["docs.search"] }];
      return isBack
        ? { json: { found: [found(number, "index")], learned } }
        : { calls: [{ tool: "docs_search", input: { query } }] };
    }
    if (prompt.includes("from these findings")) return "The report.";
    return { json: { kept: ["a fact"], profile: { asks: "much" } } };
  });
  return { models: { planner: model, searcher: model, writer: model } };
}

/** Asked once more, when everything is found, the planner has no further task. */
function planFor(prompt: string) {
  if (prompt.includes("index 5")) return [];
  return numbers.map((number) => ({
    ...{ query: `q${number}`, why: "it is asked", place: isOnSite(number) ? "site" : "index" },
  }));
}

export const asked = { question: "What is there?", site: "http://site", width: TASKS, rounds: 2 };

/** The outcome of an unbroken run. */
export const unbroken = {
  report: "The report.",
  found: numbers.flatMap((number) => [
    found(number, "index"),
    ...(isOnSite(number) ? [found(number, "site")] : []),
  ]),
  missed: [],
};

/** The memories of it, each once. */
export const remembered = ["a fact", ...numbers.map((number) => `q${number}`)];

/** What a person says who can look into that file: a call that left its line there has happened. */
export function inDoubt(file: string) {
  return ({ shown }: Interrupt): Answer => {
    const { request = {} } = shown as { readonly request?: Readonly<Record<string, string>> };
    const line =
      request.query === undefined ? `visited ${request.url}` : `searched ${request.query}`;
    return linesIn(file).includes(line) ? { kind: "value", value: line } : { kind: "approve" };
  };
}

/** The lines of that file. */
export function linesIn(file: string): readonly string[] {
  return existsSync(file) ? readFileSync(file, "utf8").split("\n").slice(0, -1) : [];
}
