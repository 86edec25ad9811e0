/**
 * Decides between the alternatives of a choice by their first tokens. Chevrotain computes these from the rules when a parser
 * is made, which takes longer than it takes to read a program of a hundred lines: here they come from `lookahead-paths.ts`.
 */
import {
  type BaseParser,
  getLookaheadPaths,
  type ILookaheadStrategy,
  type IOrAlt,
  type IToken,
  LLkLookaheadStrategy,
  type Rule,
  type TokenType,
} from "chevrotain";
import { type CHOICES, grammarFingerprint } from "./grammar-fingerprint.ts";
import { GRAMMAR_FINGERPRINT, LOOKAHEAD_PATHS } from "./lookahead-paths.ts";
import { tokenTypes } from "./tokens.ts";

type Alternation = Parameters<ILookaheadStrategy["buildLookaheadForAlternation"]>[0];
type Optional = Parameters<ILookaheadStrategy["buildLookaheadForOptional"]>[0];

/** By alternative: the beginnings of one or two tokens that lead into it. */
export type LookaheadPaths = readonly (readonly (readonly TokenType[])[])[];

export class TabledLookahead extends LLkLookaheadStrategy {
  // While a grammar is being changed the table is an old one, and the paths are computed.
  #isTableValid = false;

  override initialize({ rules }: { readonly rules: Rule[] }): void {
    this.#isTableValid = grammarFingerprint(rules) === GRAMMAR_FINGERPRINT;
  }

  override buildLookaheadForAlternation(choice: Alternation) {
    const choose = whenFirstCalled(() =>
      chooser(this.#paths({ ...choice, prodType: "Alternation" })),
    );
    return function (this: BaseParser, alternatives?: IOrAlt<unknown>[]) {
      return choose().call(this, choice.hasPredicates ? alternatives : undefined);
    };
  }

  override buildLookaheadForOptional(optional: Optional) {
    const choose = whenFirstCalled(() => chooser(this.#paths(optional).slice(0, 1)));
    return function (this: BaseParser) {
      return choose().call(this) === 0;
    };
  }

  #paths(choice: GrammarChoice): LookaheadPaths {
    const stored = this.#isTableValid ? LOOKAHEAD_PATHS[choiceKey(choice)] : undefined;
    return stored === undefined ? computedPaths(choice) : stored.map(readPaths);
  }
}

/** A place of the grammar at which the next tokens decide. */
export interface GrammarChoice {
  readonly rule: Rule;
  readonly prodOccurrence: number;
  readonly prodType: keyof typeof CHOICES;
  readonly maxLookahead: number;
}

/** The name of a choice in the table. */
export function choiceKey({ rule, prodType, prodOccurrence }: GrammarChoice): string {
  return `${rule.name} ${prodType} ${prodOccurrence}`;
}

export function computedPaths(choice: GrammarChoice): LookaheadPaths {
  return getLookaheadPaths({ ...choice, occurrence: choice.prodOccurrence });
}

/** One alternative as the table has it: names of tokens, paths between `|`. */
export function writePaths(paths: LookaheadPaths[number]): string {
  return paths.map((path) => path.map(({ name }) => name).join(" ")).join("|");
}

function readPaths(text: string): LookaheadPaths[number] {
  return text.split("|").map((path) => path.split(" ").map(tokenTypeOf));
}

let typesByName: ReadonlyMap<string, TokenType> | undefined;

function tokenTypeOf(name: string): TokenType {
  typesByName ??= new Map(tokenTypes().map((type) => [type.name, type]));
  const type = typesByName.get(name);
  if (type === undefined) throw new Error(`the grammar has no token ${name}`);
  return type;
}

/** An alternative that begins with a token; `seconds` are the tokens that may follow, any if absent. */
interface LookaheadCandidate {
  readonly alternative: number;
  seconds: Set<number> | undefined;
}

type ChooseAlternative = (this: BaseParser, alternatives?: IOrAlt<unknown>[]) => number | undefined;

function chooser(alternatives: LookaheadPaths): ChooseAlternative {
  const byFirst = candidatesByFirst(alternatives);
  return function (gates) {
    const { LA } = this as unknown as { LA(ahead: number): IToken };
    const candidates = byFirst.get(LA.call(this, 1).tokenTypeIdx);
    if (candidates === undefined) return undefined;
    for (const { alternative, seconds } of candidates) {
      if (seconds !== undefined && !seconds.has(LA.call(this, 2).tokenTypeIdx)) continue;
      if (gates?.[alternative]?.GATE?.call(this) === false) continue;
      return alternative;
    }
    return undefined;
  };
}

function candidatesByFirst(
  alternatives: LookaheadPaths,
): ReadonlyMap<number, readonly LookaheadCandidate[]> {
  const byFirst = new Map<number, LookaheadCandidate[]>();
  alternatives.forEach((paths, alternative) => {
    for (const [first, second] of paths) {
      for (const type of matchingTypes(first)) {
        const candidates = byFirst.get(type) ?? [];
        byFirst.set(type, candidates);
        addPath(candidates, alternative, second);
      }
    }
  });
  return byFirst;
}

function addPath(
  candidates: LookaheadCandidate[],
  alternative: number,
  second: TokenType | undefined,
): void {
  const last = candidates.at(-1);
  const seconds = second === undefined ? undefined : new Set(matchingTypes(second));
  if (last?.alternative !== alternative) candidates.push({ alternative, seconds });
  else if (seconds === undefined) last.seconds = undefined;
  else for (const type of seconds) last.seconds?.add(type);
}

/** The numbers of the token types that are accepted where this one is expected: its own, and those of its category. */
function matchingTypes(type: TokenType | undefined): readonly number[] {
  if (type === undefined) throw new Error("an alternative of the grammar may be empty");
  return [type.tokenTypeIdx ?? -1, ...(type.categoryMatches ?? [])];
}

function whenFirstCalled<Result>(make: () => Result): () => Result {
  let made: Result | undefined;
  return () => (made ??= make());
}
