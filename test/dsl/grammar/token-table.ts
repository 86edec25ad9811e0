/** The tokens behind the names that the rules use. */
import { Lexer, type TokenType } from "chevrotain";
import { lexerDefinition } from "../../../dsl/syntax/tokens.ts";
import {
  clauseWords,
  fileWords,
  graphWords,
  reservedWords,
  smallWords,
} from "../../../dsl/syntax/words.ts";

export interface TokenRow {
  readonly name: string;
  /** A regular expression, or the tokens that count as one of these. */
  readonly form: string;
}

/** Every token that is no fixed word or sign, in the order of the lexer; what is only there to be reported is left out. */
export function tokenRows(): readonly TokenRow[] {
  const tokens = [...new Set(Object.values(lexerDefinition.modes).flat())].filter(
    (token): token is TokenType => typeof token === "object" && "name" in token,
  );
  return tokens
    .filter(({ name }) => !/^(?:Keyword_|Bad|Unclosed)/.test(name))
    .flatMap((token) => {
      const form = formOf(token, tokens);
      return form === undefined ? [] : [{ name: token.name, form }];
    });
}

/** The words that are never names, and those that mean something somewhere and are names elsewhere. */
export function wordLists(): {
  readonly reserved: readonly string[];
  readonly soft: readonly string[];
} {
  const soft = new Set<string>([...fileWords, ...graphWords, ...clauseWords, ...smallWords]);
  return { reserved: [...reservedWords], soft: [...soft].sort() };
}

function formOf(token: TokenType, tokens: readonly TokenType[]): string | undefined {
  if (token.PATTERN !== Lexer.NA) {
    return token.PATTERN instanceof RegExp ? `/${token.PATTERN.source}/` : undefined;
  }
  const members = tokens
    .filter((other) => other.CATEGORIES?.includes(token))
    .filter(({ name }) => !/^(?:Bad|Unclosed)/.test(name));
  const names = members.filter(({ name }) => !name.startsWith("Keyword_")).map(({ name }) => name);
  const hasWords = members.length > names.length;
  const words = token.name === "Reserved" ? "a reserved word" : "a word of the language";
  return [...names, ...(hasWords ? [words] : [])].join(" | ");
}
