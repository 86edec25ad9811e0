/** Decides which tools to call next; what was called before is read from the conversation, so nothing is kept. */
import type { LanguageModelV4FunctionTool } from "@ai-sdk/provider";
import { inherit, type Passage, type ToolExchange } from "./material.ts";
import { absentFrom, rankQuotes } from "./rank.ts";
import type { RulesRequest } from "./rule.ts";
import type { Subject, SubjectKeyword } from "./subject.ts";
import {
  affinity,
  callFor,
  callFromSubject,
  type RulesToolCall,
  searchCall,
  searchTools,
} from "./tools.ts";

const READS_MAX = 3;
const CHECKS_MAX = 3;

/** The calls to make now; none when it is time to answer. */
export function nextCalls(
  request: RulesRequest,
  subject: Subject,
  exchanges: readonly ToolExchange[],
): RulesToolCall[] {
  const { toolChoice } = request;
  if (toolChoice.type === "none" || subject.keywords.length === 0) return [];
  const tools = request.tools.filter(
    ({ name }) => toolChoice.type !== "tool" || name === toolChoice.toolName,
  );
  const calls =
    exchanges.length === 0 ? firstCalls(tools, subject) : laterCalls(tools, subject, exchanges);
  const isNew = ({ tool, input }: RulesToolCall) =>
    !exchanges.some(
      (made) => made.tool === tool && JSON.stringify(made.input) === JSON.stringify(input),
    );
  return calls.filter(isNew);
}

function firstCalls(
  tools: readonly LanguageModelV4FunctionTool[],
  subject: Subject,
): RulesToolCall[] {
  const query = subject.keywords.map(({ raw }) => raw).join(" ");
  const search = searchTools(tools, subject)[0];
  const direct = tools
    .flatMap((tool) => {
      const call = callFromSubject(tool, subject);
      return call === undefined ? [] : [{ call, affinity: affinity(tool, subject) }];
    })
    .filter((option) => option.affinity > (search === undefined ? 0 : affinity(search, subject)))
    .sort((a, b) => b.affinity - a.affinity)[0];
  if (direct !== undefined) return [direct.call];
  const call = search === undefined ? undefined : searchCall(search, query);
  return call === undefined ? [] : [call];
}

/** After a search: read the best results; and ask for words alone that nothing found so far holds. */
function laterCalls(
  tools: readonly LanguageModelV4FunctionTool[],
  subject: Subject,
  exchanges: readonly ToolExchange[],
): RulesToolCall[] {
  const passages = inherit(exchanges);
  const reads = readCalls(tools, subject, { passages, exchanges });
  return [...reads, ...checkCalls(tools, subject, { passages, exchanges })];
}

interface Sofar {
  readonly passages: readonly Passage[];
  readonly exchanges: readonly ToolExchange[];
}

function readCalls(
  tools: readonly LanguageModelV4FunctionTool[],
  subject: Subject,
  { passages, exchanges }: Sofar,
): RulesToolCall[] {
  const searches = new Set(searchTools(tools, subject).map(({ name }) => name));
  const readers = tools.filter(({ name }) => !searches.has(name));
  if (exchanges.some(({ tool }) => readers.some(({ name }) => name === tool))) return [];
  const calls = new Map<string, RulesToolCall>();
  for (const passage of promising(passages, subject)) {
    const call = readers.map((tool) => callFor(tool, passage)).find((one) => one !== undefined);
    if (call !== undefined) calls.set(JSON.stringify(call), call);
    if (calls.size === READS_MAX) break;
  }
  return [...calls.values()];
}

/** Passages with something to quote first, in the order of their quotes; then the others as they came. */
function promising(passages: readonly Passage[], { keywords }: Subject): Passage[] {
  const quoted = rankQuotes(passages, keywords).map(({ passage }) => passage);
  return [...new Set([...quoted, ...passages])];
}

/** A word that no result holds may be unknown to the source, or only less usual: asked for alone, it shows. */
function checkCalls(
  tools: readonly LanguageModelV4FunctionTool[],
  subject: Subject,
  { passages, exchanges }: Sofar,
): RulesToolCall[] {
  const search = searchTools(tools, subject).find(({ name }) =>
    exchanges.some(({ tool }) => tool === name),
  );
  const isSingle = exchanges.length === 1 && subject.keywords.length < 2;
  if (search === undefined || isSingle) return [];
  const absent = absentFrom(passages, [...subject.keywords, ...subject.around]);
  const asked = uniqueWords(absent).slice(0, CHECKS_MAX);
  return asked.flatMap(({ raw }) => searchCall(search, raw) ?? []);
}

/** The words that were searched for alone and still stand in no result: the source does not know them. */
export function unknownWords(
  subject: Subject,
  exchanges: readonly ToolExchange[],
): SubjectKeyword[] {
  const alone = new Set(exchanges.flatMap(({ input }) => Object.values(input)));
  const keywords = uniqueWords([...subject.keywords, ...subject.around]);
  return absentFrom(inherit(exchanges), keywords).filter(({ raw }) => alone.has(raw));
}

function uniqueWords(keywords: readonly SubjectKeyword[]): SubjectKeyword[] {
  return [...new Map(keywords.map((keyword) => [keyword.stem, keyword])).values()];
}
