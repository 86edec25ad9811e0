/** The models of the team by rule, for one kind of task: a page is read, and the least price on it found. */
import { rules } from "madrigal";

type Request = Parameters<NonNullable<Parameters<typeof rules>[0]>>[0];
type Message = Request["messages"][number];

function textOf({ content }: Message): string {
  if (typeof content === "string") return content;
  return (content as { text?: string }[]).map(({ text = "" }) => text).join("");
}

const promptOf = ({ messages }: Request): string =>
  messages
    .filter(({ role }) => role === "user")
    .map(textOf)
    .join("\n");

/** Returns the last result of a tool in this attempt, as JSON. */
function resultIn({ messages }: Request): string | undefined {
  const last = messages.at(-1);
  return last?.role === "tool" ? JSON.stringify(last.content) : undefined;
}

interface PlannedStep {
  readonly title: string;
  readonly details: string;
  readonly agent: string;
}

/** The plan is read from the prompt, as a model reads it: whoever the next step is for goes on. */
function ledgerOf(text: string) {
  const [, plan = "[]", at = "1"] = /Plan:\n(.*?)\nWe are at step (\d+) of/s.exec(text) ?? [];
  const steps = JSON.parse(plan) as PlannedStep[];
  const isNew = text.includes("It has not been begun.");
  const step = steps[Number(at) - 1];
  const next = isNew ? step : steps[Number(at)];
  return {
    isDone: !isNew,
    needsReplan: false,
    reason: "",
    progress: isNew ? "" : `${step?.title} is done`,
    instruction: next?.details ?? "",
    next: next?.agent ?? "nobody",
  };
}

const orchestrator = rules((request) => {
  const text = promptOf(request);
  if (text.includes("We are at step")) return { json: ledgerOf(text) };
  if (!text.includes("Decide what the task needs.")) {
    return /the least is \w+, \d+/.exec(text)?.[0] ?? "Nothing was found.";
  }
  const path = /Task: .*?(\/\w+\/\w+)/.exec(text)?.[1];
  const plan = { kind: "plan", response: "", source: "none", summary: "read, then compute" };
  if (path === undefined) {
    const response = "I only read pages.";
    return { json: { ...plan, kind: "answer", response, source: "own knowledge", steps: [] } };
  }
  const look = { id: "look", title: "Look", details: `Read ${path}`, agent: "web_surfer" };
  const least = { id: "least", title: "Least", details: "Find the least.", agent: "coder_agent" };
  return { json: { ...plan, steps: [look, least] } };
});

/** Reads pages of one site. */
const surferOf = (site: string) =>
  rules((request) => {
    const result = resultIn(request);
    if (result !== undefined) {
      return [...result.matchAll(/\w+ costs \d+/g)].map(([words]) => words).join(", ");
    }
    const path = /Read (\/\S+)/.exec(promptOf(request))?.[1] ?? "";
    const input = { url: site + path, explanation: "The step names it.", require_approval: false };
    return { calls: [{ tool: "web_read", input }] };
  });

const programmer = rules((request) => {
  const result = resultIn(request);
  if (result !== undefined) return /the least is \w+, \d+/.exec(result)?.[0] ?? "It failed.";
  const prices = [...promptOf(request).matchAll(/(\w+) costs (\d+)/g)].map(
    ([, name, price]) => [name, Number(price)] as const,
  );
  const code = `const [name, price] = ${JSON.stringify(prices)}.sort((a, b) => a[1] - b[1])[0];
console.log(\`the least is \${name}, \${price}\`);`;
  const input = { language: "javascript", code, explanation: "It sorts.", require_approval: false };
  return { calls: [{ tool: "code_run", input }] };
});

/** The models of the team, for pages of this site. */
export const teamByRules = (site: string) => ({
  orchestrator,
  surfer: surferOf(site),
  programmer,
});
