/** What a token can be, as numbers: names first, then what is reserved, then literals and signs. */

const softWords = [
  ...[
    "import",
    "model",
    "mcp",
    "openapi",
    "type",
    "memory",
    "config",
    "graph",
    "test",
    "state",
    "defaults",
  ],
  ...["agent", "operator", "human", "router", "run", "tool", "reduce", "limit", "approve", "break"],
  ...["end", "system", "prompt", "ask", "tools", "skills", "controller", "session", "reads"],
  ...["edits", "writes", "effects", "tell", "retry", "cache", "ensure", "every", "history"],
  ...["context", "recall", "store", "set", "from", "as", "of", "by", "via", "in", "on", "after"],
  ...["before", "max", "need", "parallel", "top", "none", "summarize", "backoff", "until"],
  ...["returns", "given", "says", "fails", "denied", "answers", "expires", "calls"],
  ...["expect", "path", "was", "told", "within", "then", "optional", "detached"],
  ...["new", "reuse", "resume", "thread", "user", "own", "inbox", "workspace", "external"],
  ...["error", "skip", "into", "not", "for", "any", "order", "earlier"],
] as const;
const reservedWords = ["true", "false", "null", "else", "when", "each", "match"] as const;
const others = [
  ...["number", "duration", "money", "string", "tick", "tickEnd", "triple", "tripleEnd", "hole"],
  ...["piece", "arrow", "fatArrow", "equal", "notEqual", "lessEqual", "greaterEqual", "and", "or"],
  ...[
    "nullish",
    "optionalDot",
    "spread",
    "dots",
    "dot",
    "comma",
    "colon",
    "semicolon",
    "question",
    "bar",
  ],
  ...["assign", "bang", "less", "greater", "plus", "minus", "star", "slash", "percent"],
  ...["leftParen", "rightParen", "leftSquare", "rightSquare", "leftCurly", "rightCurly"],
] as const;

type Named = (typeof softWords)[number] | (typeof reservedWords)[number] | (typeof others)[number];

const firstSoft = 2;
const firstReserved = firstSoft + softWords.length;
const firstOther = firstReserved + reservedWords.length;

/** The number of each kind. `name` is any word that means nothing anywhere. */
export const Kind: Readonly<Record<Named | "end of text" | "name", number>> = Object.freeze({
  "end of text": 0,
  name: 1,
  ...numbered(softWords, firstSoft),
  ...numbered(reservedWords, firstReserved),
  ...numbered(others, firstOther),
});

/** The numbers of the words that mean something. */
export const words: readonly (readonly [string, number])[] = [
  ...Object.entries(numbered(softWords, firstSoft)),
  ...Object.entries(numbered(reservedWords, firstReserved)),
];

function numbered<Text extends string>(
  texts: readonly Text[],
  first: number,
): Record<Text, number> {
  return Object.fromEntries(texts.map((text, index) => [text, first + index])) as Record<
    Text,
    number
  >;
}

/** A word that may be declared. */
export function isName(kind: number): boolean {
  return kind > 0 && kind < firstReserved;
}

/** A word that may stand behind a dot. */
export function isWord(kind: number): boolean {
  return kind > 0 && kind < firstOther;
}
