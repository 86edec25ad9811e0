/** The grammar as data: what Chevrotain recorded of the rules, in the few forms that a reference needs. */
import {
  Alternation,
  Alternative,
  type IProduction,
  NonTerminal,
  Option,
  Repetition,
  RepetitionMandatory,
  RepetitionMandatoryWithSeparator,
  RepetitionWithSeparator,
  type Rule,
  Terminal,
  type TokenType,
} from "chevrotain";
import { FileParser } from "../../../dsl/syntax/grammar/file.ts";

/** What a rule is made of. */
export type Shape =
  /** A word or sign, as it is written. */
  | { readonly kind: "literal"; readonly text: string }
  /** A token of many forms: a name, a number. */
  | { readonly kind: "token"; readonly name: string }
  | { readonly kind: "rule"; readonly name: string }
  | { readonly kind: "sequence"; readonly parts: readonly Shape[] }
  | { readonly kind: "choice"; readonly ways: readonly Shape[] }
  | { readonly kind: "optional"; readonly part: Shape }
  /** Once or more. */
  | { readonly kind: "repeat"; readonly part: Shape; readonly separator?: Shape };

export interface GrammarRule {
  readonly name: string;
  readonly shape: Shape;
}

/** All rules in the order in which the grammar defines them: literals first, files last. */
export function grammarRules(): readonly GrammarRule[] {
  const rules = new FileParser({ validate: false }).getGAstProductions();
  return Object.values(rules).map((rule: Rule) => ({ name: rule.name, shape: sequence(rule) }));
}

function sequence({ definition }: { readonly definition: IProduction[] }): Shape {
  const parts = definition.map(toShape);
  const [only] = parts;
  return parts.length === 1 && only !== undefined ? only : { kind: "sequence", parts };
}

function toShape(production: IProduction): Shape {
  if (production instanceof Terminal) return tokenShape(production.terminalType);
  if (production instanceof NonTerminal) return { kind: "rule", name: production.nonTerminalName };
  if (production instanceof Alternation) return choice(production.definition.map(toShape));
  if (production instanceof Alternative) return sequence(production);
  if (production instanceof Option) return { kind: "optional", part: sequence(production) };
  if (production instanceof RepetitionMandatory) return repeat(production);
  if (production instanceof Repetition) return { kind: "optional", part: repeat(production) };
  if (production instanceof RepetitionMandatoryWithSeparator) return list(production);
  if (production instanceof RepetitionWithSeparator) {
    return { kind: "optional", part: list(production) };
  }
  throw new Error(`the grammar has a form without a shape: ${production.constructor.name}`);
}

function choice(ways: readonly Shape[]): Shape {
  return { kind: "choice", ways };
}

function repeat(production: { readonly definition: IProduction[] }): Shape {
  return { kind: "repeat", part: sequence(production) };
}

function list(production: {
  readonly definition: IProduction[];
  readonly separator: TokenType;
}): Shape {
  return { ...repeat(production), separator: tokenShape(production.separator) } as Shape;
}

function tokenShape({ name, PATTERN }: TokenType): Shape {
  if (typeof PATTERN === "string") return { kind: "literal", text: PATTERN };
  const keyword = /^Keyword_(.+)$/.exec(name)?.[1];
  if (keyword !== undefined) return { kind: "literal", text: keyword };
  return { kind: "token", name };
}
