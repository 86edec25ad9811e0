/** Tells grammars apart by a number, so that a table that was made of other rules is not used. */
import {
  Alternation,
  type IProduction,
  Option,
  Repetition,
  RepetitionMandatory,
  RepetitionMandatoryWithSeparator,
  RepetitionWithSeparator,
  type Rule,
  type TokenType,
} from "chevrotain";

/** The productions at which the next tokens decide, by the names that Chevrotain has for them. */
export const CHOICES = {
  Alternation,
  Option,
  Repetition,
  RepetitionMandatory,
  RepetitionMandatoryWithSeparator,
  RepetitionWithSeparator,
} as const;

// A bundler may rename classes, so their own names say nothing.
const KINDS = Object.values(CHOICES);

/** Any production, by what distinguishes it from others. */
interface AnyProduction {
  readonly definition?: readonly IProduction[];
  readonly idx?: number;
  readonly nonTerminalName?: string;
  readonly separator?: TokenType;
  readonly terminalType?: TokenType;
}

export function grammarFingerprint(rules: readonly Rule[]): number {
  let hash = 5381;
  const addNumber = (value: number) => {
    hash = (Math.imul(hash, 33) + value) | 0;
  };
  const addText = (text: string) => {
    for (let at = 0; at < text.length; at += 1) addNumber(text.charCodeAt(at));
  };
  const visit = (production: IProduction) => {
    const {
      definition,
      idx = 0,
      nonTerminalName,
      separator,
      terminalType,
    } = production as AnyProduction;
    const name = nonTerminalName ?? terminalType?.name;
    if (name !== undefined) return addText(name);
    addNumber(KINDS.findIndex((kind) => production instanceof kind));
    addNumber(idx);
    addText(separator?.name ?? "(");
    definition?.forEach(visit);
    addText(")");
  };
  for (const rule of rules) {
    addText(rule.name);
    rule.definition.forEach(visit);
  }
  return hash;
}
