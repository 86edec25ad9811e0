/** The words of the language. All but the reserved ones are soft: they are names too, so a field may be called `tools`. */

/** The words that can't be names. */
export const reservedWords = ["true", "false", "null", "else", "when", "each", "match"] as const;

/** The words that begin a declaration at the top of a file. */
export const fileWords = [
  ...(["import", "model", "mcp", "openapi", "type", "memory"] as const),
  ...(["config", "graph", "test"] as const),
] as const;

/** The words that begin an item of a graph, except for edges. */
export const graphWords = [
  ...(["state", "memory", "defaults", "agent", "operator", "human", "router", "run"] as const),
  ...(["tool", "reduce", "graph", "limit", "approve", "break", "end"] as const),
] as const;

/** The words that begin a clause in a node's body. */
export const clauseWords = [
  ...(["model", "system", "prompt", "ask", "tools", "skills", "controller", "session"] as const),
  ...(["reads", "edits", "writes", "state", "effects", "tell", "retry", "limit", "cache"] as const),
  ...(["ensure", "every", "history", "context", "recall", "store", "approve", "set"] as const),
] as const;

export type ClauseWord = (typeof clauseWords)[number];

/** The words that join the parts of a clause, an edge or a declaration. */
export const smallWords = [
  ...(["from", "as", "of", "by", "via", "in", "on", "after", "before", "max", "need"] as const),
  ...(["parallel", "top", "none", "summarize", "backoff", "until", "returns", "given"] as const),
  ...(["says", "fails", "denied", "answers", "expires", "calls"] as const),
  ...(["expect", "path", "was", "told", "within", "then", "optional", "detached", "new"] as const),
  ...(["reuse", "resume", "thread", "user", "own", "inbox", "workspace", "external"] as const),
  ...(["error", "skip", "into", "not", "for", "any", "order", "earlier"] as const),
] as const;

/** The soft words that may stand behind an expression: before one of these `not` is a name. */
export const wordsBehindExpressions: readonly Keyword[] = [
  ...(["after", "answers", "as", "backoff", "by", "calls", "denied", "detached"] as const),
  ...(["expires", "fails", "from", "in", "into", "max"] as const),
  ...([
    "need",
    "on",
    "parallel",
    "says",
    "set",
    "summarize",
    "then",
    "top",
    "until",
    "via",
  ] as const),
  ...(["within", "writes"] as const),
];

/** The words behind a node that say what it does in a test; `expires` stands alone, the others before a value. */
export const scriptWords = ["says", "fails", "denied", "answers", "calls", "expires"] as const;

export type ScriptWord = (typeof scriptWords)[number];

export function isScriptWord(text: string): text is ScriptWord {
  return scriptWords.some((word) => word === text);
}

/** Every word that means something somewhere. */
export type Keyword =
  | (typeof reservedWords)[number]
  | (typeof fileWords)[number]
  | (typeof graphWords)[number]
  | (typeof clauseWords)[number]
  | (typeof smallWords)[number];

/** The words of other tools, each with the word of this language for the same thing. */
export const foreignWords: ReadonlyMap<string, Keyword> = new Map([
  ["timeout", "limit"],
  ["budget", "limit"],
  ["max_turns", "limit"],
  ["maxTurns", "limit"],
  ["recursion_limit", "limit"],
  ["recursionLimit", "limit"],
  ["channel", "state"],
  ["channels", "state"],
  ["foreach", "each"],
  ["for", "each"],
  ["map", "each"],
  ["switch", "match"],
  ["case", "match"],
  ["if", "when"],
  ["node", "agent"],
  ["step", "agent"],
  ["task", "agent"],
  ["workflow", "graph"],
  ["flow", "graph"],
  ["pipeline", "graph"],
  ["instructions", "system"],
  ["outputs", "writes"],
  ["output", "writes"],
  ["input", "reads"],
  ["inputs", "reads"],
  ["retries", "retry"],
  ["interrupt", "approve"],
  ["breakpoint", "break"],
  ["assert", "ensure"],
  ["function", "run"],
  ["call", "run"],
] satisfies [string, Keyword][]);
