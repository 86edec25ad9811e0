/** A server in the place of a live model: it understands nothing, and answers DeepSearch from what each request holds. */
import type {
  ChatBody,
  ChatMessage,
  ServerAnswer,
  ServerRequest,
} from "../support/openai-server.ts";

interface Finding {
  readonly package: string;
  readonly file: string;
  readonly heading: string;
  readonly quote: string;
  readonly score: number;
}

/** Which node asks; the system text that agents get says so. */
export function askedBy({ body }: ServerRequest): string {
  const [system] = body.messages;
  return /^You are `(\w+)`/.exec(system?.content ?? "")?.[1] ?? "nobody";
}

/** Whether the request is for the answer itself, after everything was looked up. */
export function isLastTurn({ body }: ServerRequest): boolean {
  return toolResults(body).some((result) => "text" in result);
}

/** The answer to one request of the graph DeepSearch. */
export function answerDeepSearch(request: ServerRequest): ServerAnswer {
  switch (askedBy(request)) {
    case "plan":
      return { json: { tasks: tasksFor(request.body) } };
    case "search":
      return searchAnswer(request.body);
    default:
      return { text: reportOf(request.body) };
  }
}

/** Package names are what the questions of these tests ask about. */
function tasksFor(body: ChatBody): { query: string; why: string }[] {
  const asked = prompt(body);
  const width = Number(/at most (\d+) searches/.exec(asked)?.[1]);
  const words = (/^ *Question: (.*)$/m.exec(asked)?.[1] ?? "").match(/`[^`]+`/g) ?? [];
  return words
    .slice(0, width)
    .map((word) => ({ query: word.slice(1, -1), why: `it asks about ${word}` }));
}

function searchAnswer(body: ChatBody): ServerAnswer {
  const last = toolResults(body).at(-1);
  if (last === undefined) {
    const query = /^ *Search for: (.*)$/m.exec(prompt(body))?.[1] ?? "";
    return { calls: [{ tool: "docs_search", input: { query, limit: 3 } }] };
  }
  if ("hits" in last) {
    const [hit] = last.hits as { file: string; heading: string }[];
    if (hit === undefined) return { json: { findings: [] } };
    return { calls: [{ tool: "docs_read", input: { file: hit.file, heading: hit.heading } }] };
  }
  return { json: { findings: [findingIn(last)] } };
}

function findingIn(reading: Readonly<Record<string, unknown>>): Finding {
  const lines = String(reading.text).split("\n");
  const quote =
    lines.find((line) => /^[A-Z].{20,}/.test(line)) ?? lines.find((line) => line !== "");
  return {
    package: String(reading.package),
    file: String(reading.file),
    heading: String(reading.heading),
    quote: quote ?? "",
    score: 1,
  };
}

function reportOf(body: ChatBody): string {
  const asked = prompt(body);
  const findings: Finding[] = JSON.parse(asked.slice(asked.indexOf("Findings: ") + 10));
  if (findings.length === 0) return "Nothing was found.";
  const cited = findings.map((found) => `“${found.quote}” — ${found.package} · ${found.file}`);
  return `What the documents say:\n${cited.join("\n")}`;
}

function prompt({ messages }: ChatBody): string {
  return messages.find(({ role }) => role === "user")?.content ?? "";
}

function toolResults({ messages }: ChatBody): Readonly<Record<string, unknown>>[] {
  const results = messages.filter(({ role }) => role === "tool");
  return results.map(({ content }: ChatMessage) => JSON.parse(content ?? "{}"));
}
