/** Chevrotain's token types: keywords, literals, punctuation, and the three modes of the lexer. */
import {
  createToken,
  EOF,
  type IMultiModeLexerDefinition,
  type ITokenConfig,
  Lexer,
  type TokenType,
} from "chevrotain";
import {
  clauseWords,
  fileWords,
  graphWords,
  type Keyword,
  reservedWords,
  smallWords,
} from "./words.ts";

/** Says of most tokens that they have no line break: Chevrotain would find out by reading each pattern, at each start. */
function defineToken(options: ITokenConfig): TokenType {
  return createToken({ line_breaks: false, ...options });
}

/** Anything word-like: what may stand after a dot or as a key. */
export const Word = defineToken({ name: "Word", pattern: Lexer.NA, label: "a name" });
/** A word that may be declared: every word that is not reserved. */
export const Name = defineToken({
  name: "Name",
  pattern: Lexer.NA,
  categories: [Word],
  label: "a name",
});
export const Reserved = defineToken({ name: "Reserved", pattern: Lexer.NA, categories: [Word] });
export const Identifier = defineToken({
  name: "Identifier",
  pattern: /[A-Za-z_]\w*/,
  categories: [Name],
  label: "a name",
});

/** The token of each keyword. The lexer reads an identifier; `keywordTypes` then says whether it is one of these. */
export const K = Object.fromEntries([
  ...reservedWords.map((word) => [word, keyword(word, Reserved)]),
  ...[...new Set([...fileWords, ...graphWords, ...clauseWords, ...smallWords])].map((word) => [
    word,
    keyword(word, Name),
  ]),
]) as Readonly<Record<Keyword, TokenType>>;

function keyword(text: string, category: TokenType): TokenType {
  const options = { pattern: Lexer.NA, categories: [category] };
  return defineToken({ name: `Keyword_${text}`, label: `\`${text}\``, ...options });
}

/** Some ninety patterns, of which up to ten begin alike, would cost more than this one look. */
export const keywordTypes: ReadonlyMap<string, TokenType> = new Map(Object.entries(K));

export const NumberToken = defineToken({
  name: "Number",
  pattern: Lexer.NA,
  label: "a number",
});
/** `30sec`: read as one token, so that it can be reported as one mistake. */
export const BadAmount = defineToken({
  name: "BadAmount",
  pattern: /\d+(?:\.\d+)?[A-Za-z_]\w*/,
  categories: [NumberToken],
});
const PlainNumber = defineToken({
  name: "PlainNumber",
  pattern: /\d+(?:\.\d+)?(?:[kM]\b)?/,
  longer_alt: BadAmount,
  categories: [NumberToken],
});
export const DurationToken = defineToken({
  name: "Duration",
  pattern: /\d+(?:\.\d+)?(?:ms|s|m|h|d)\b/,
  label: "a duration like `30s`",
});
export const MoneyToken = defineToken({
  name: "Money",
  pattern: /\$\d+(?:\.\d+)?/,
  label: "an amount of money",
});
export const StringToken = defineToken({
  name: "String",
  pattern: /"[^"\\\n\r]*(?:\\[^\n\r][^"\\\n\r]*)*"|'[^'\\\n\r]*(?:\\[^\n\r][^'\\\n\r]*)*'/,
  label: "a string",
});
/** A string whose line ends before it does; it counts as a string, so that only one thing is reported. */
export const UnclosedString = defineToken({
  name: "UnclosedString",
  pattern: /"(?:[^"\\\n\r]+|\\[^\n\r])*\\?|'(?:[^'\\\n\r]+|\\[^\n\r])*\\?/,
  categories: [StringToken],
});

const WhiteSpace = defineToken({
  name: "WhiteSpace",
  pattern: /[ \t\r\n\uFEFF\u00A0]+/,
  group: Lexer.SKIPPED,
  line_breaks: true,
});
const LineComment = defineToken({
  name: "LineComment",
  pattern: /\/\/[^\n\r]*/,
  group: "comments",
});
const BlockComment = defineToken({
  name: "BlockComment",
  pattern: /\/\*[\s\S]*?\*\//,
  group: "comments",
  line_breaks: true,
});
export const UnclosedComment = defineToken({
  name: "UnclosedComment",
  pattern: /\/\*[\s\S]*/,
  group: "comments",
  line_breaks: true,
});

// The order is the lexer's: what is longer comes first.
export const Arrow = sign("Arrow", "->");
export const FatArrow = sign("FatArrow", "=>");
export const EqualEqualEqual = sign("EqualEqualEqual", "===");
export const NotEqualEqual = sign("NotEqualEqual", "!==");
export const EqualEqual = sign("EqualEqual", "==");
export const NotEqual = sign("NotEqual", "!=");
export const LessEqual = sign("LessEqual", "<=");
export const GreaterEqual = sign("GreaterEqual", ">=");
export const AndAnd = sign("AndAnd", "&&");
export const OrOr = sign("OrOr", "||");
export const QuestionQuestion = sign("QuestionQuestion", "??");
export const QuestionDot = sign("QuestionDot", "?.");
export const DotDotDot = sign("DotDotDot", "...");
export const DotDot = sign("DotDot", "..");
export const Dot = sign("Dot", ".");
export const Comma = sign("Comma", ",");
export const Colon = sign("Colon", ":");
export const Semicolon = sign("Semicolon", ";");
export const Question = sign("Question", "?");
export const Bar = sign("Bar", "|");
export const Equals = sign("Equals", "=");
export const Bang = sign("Bang", "!");
export const Less = sign("Less", "<");
export const Greater = sign("Greater", ">");
export const Plus = sign("Plus", "+");
export const Minus = sign("Minus", "-");
export const Star = sign("Star", "*");
export const Slash = sign("Slash", "/");
export const Percent = sign("Percent", "%");
export const LeftParen = sign("LeftParen", "(");
export const RightParen = sign("RightParen", ")");
export const LeftSquare = sign("LeftSquare", "[");
export const RightSquare = sign("RightSquare", "]");
export const LeftCurly = sign("LeftCurly", "{", { push_mode: "code" });
export const RightCurly = sign("RightCurly", "}", { pop_mode: true });

export const TripleOpen = sign("TripleOpen", "```", { push_mode: "triple" });
export const TickOpen = sign("TickOpen", "`", { push_mode: "template" });
export const HoleOpen = sign("HoleOpen", "${", { push_mode: "code" });
export const TripleClose = sign("TripleClose", "```", { pop_mode: true });
export const TickClose = sign("TickClose", "`", { pop_mode: true });
export const TemplateText = defineToken({
  name: "TemplateText",
  pattern: /(?:[^`\\$]+|\\[\s\S]|\\(?![\s\S])|\$(?!\{))+/,
  line_breaks: true,
});
export const TripleText = defineToken({
  name: "TripleText",
  pattern: /(?:[^`\\$]+|\\[\s\S]|\\(?![\s\S])|\$(?!\{)|`(?!``))+/,
  line_breaks: true,
  categories: [TemplateText],
});

function sign(name: string, text: string, mode: { push_mode?: string; pop_mode?: boolean } = {}) {
  const label = text.includes("`") ? "a backtick" : `\`${text}\``;
  return defineToken({ name, pattern: text, label, ...mode });
}

const signs = [
  ...[Arrow, FatArrow, EqualEqualEqual, NotEqualEqual, EqualEqual, NotEqual, LessEqual],
  ...[
    GreaterEqual,
    AndAnd,
    OrOr,
    QuestionQuestion,
    QuestionDot,
    DotDotDot,
    DotDot,
    Dot,
    Comma,
    Colon,
  ],
  ...[Semicolon, Question, Bar, Equals, Bang, Less, Greater, Plus, Minus, Star, Slash, Percent],
  ...[LeftParen, RightParen, LeftSquare, RightSquare, LeftCurly, RightCurly],
];

export const lexerDefinition: IMultiModeLexerDefinition = {
  modes: {
    code: [
      ...[WhiteSpace, LineComment, BlockComment, UnclosedComment],
      ...[Identifier, DurationToken, PlainNumber, BadAmount, MoneyToken],
      ...[StringToken, UnclosedString, TripleOpen, TickOpen],
      ...signs,
      // These have no pattern of their own; the parser knows them by this list.
      ...[Name, Reserved, Word, NumberToken, ...Object.values(K)],
    ],
    template: [HoleOpen, TemplateText, TickClose],
    triple: [HoleOpen, TripleClose, TripleText],
  },
  defaultMode: "code",
};

/** All types of tokens, that of the end of a text included. */
export function tokenTypes(): readonly TokenType[] {
  return [...Object.values(lexerDefinition.modes).flat(), EOF] as TokenType[];
}
