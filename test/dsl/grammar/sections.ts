/** The rules in the order in which a person reads them. */
import { type GrammarRule, grammarRules } from "./shape.ts";

export interface Section {
  readonly title: string;
  readonly rules: readonly GrammarRule[];
}

/** The first rule of each part of the grammar (a file of dsl/syntax), from the last part to the first. */
const beginnings = [
  ["file", "Files and graphs"],
  ["testDecl", "Tests"],
  ["flow", "Edges"],
  ["body", "Clauses of nodes"],
  ["limitClause", "What nodes and graphs share"],
  ["type", "Types, parameters and state"],
  ["expression", "Expressions and prompts"],
  ["names", "Names and literals"],
] as const;

/** All rules, files first and literals last. */
export function grammarSections(): readonly Section[] {
  const rules = grammarRules();
  let end = rules.length;
  return beginnings.map(([first, title]) => {
    const start = rules.findIndex(({ name }) => name === first);
    if (start === -1 || start >= end)
      throw new Error(`no part of the grammar begins with ${first}`);
    const section = { title, rules: rules.slice(start, end) };
    end = start;
    return section;
  });
}
