/** The table of `dsl/syntax/lookahead-paths.ts`, made of the rules. */
import {
  type IProduction,
  type IProductionWithOccurrence,
  NonTerminal,
  type Rule,
  Terminal,
} from "chevrotain";
import { FileParser } from "../../../dsl/syntax/grammar/file.ts";
import { CHOICES, grammarFingerprint } from "../../../dsl/syntax/grammar-fingerprint.ts";
import {
  choiceKey,
  computedPaths,
  type GrammarChoice,
  writePaths,
} from "../../../dsl/syntax/lookahead.ts";
import { LOOKAHEAD } from "../../../dsl/syntax/recovery/recovering-parser.ts";

export const lookaheadFile = new URL("../../../dsl/syntax/lookahead-paths.ts", import.meta.url);

export function lookaheadTable() {
  const rules = Object.values(new FileParser({ validate: false }).getGAstProductions());
  const choices = rules.flatMap(choicesOf);
  const paths = choices.map((choice) => [choiceKey(choice), writtenPaths(choice)] as const);
  return { fingerprint: grammarFingerprint(rules), paths: Object.fromEntries(paths) };
}

/** The text of the file. */
export function lookaheadModule(): string {
  const { fingerprint, paths } = lookaheadTable();
  const lines = Object.entries(paths).map(
    ([key, alternatives]) => `  ${JSON.stringify(key)}: ${JSON.stringify(alternatives)},`,
  );
  return [
    "/** Lists the tokens that lead into each alternative of the grammar, for `lookahead.ts`. `npm run grammar` writes it. */",
    "",
    "/** The rules that the table was made of. */",
    `export const GRAMMAR_FINGERPRINT = ${fingerprint};`,
    "",
    "/** By choice, by alternative: names of tokens, with `|` between beginnings. */",
    "// biome-ignore format: one choice a line",
    "export const LOOKAHEAD_PATHS: Readonly<Record<string, readonly string[]>> = {",
    ...lines,
    "};",
    "",
  ].join("\n");
}

/** For an option or a repetition, only the beginnings that enter it are needed. */
function writtenPaths(choice: GrammarChoice): readonly string[] {
  const paths = computedPaths(choice);
  return (choice.prodType === "Alternation" ? paths : paths.slice(0, 1)).map(writePaths);
}

function choicesOf(rule: Rule): readonly GrammarChoice[] {
  return rule.definition.flatMap(function choicesIn(production): readonly GrammarChoice[] {
    if (production instanceof NonTerminal || production instanceof Terminal) return [];
    const node = production as IProductionWithOccurrence & Numbered;
    const inner = node.definition.flatMap(choicesIn);
    const prodType = KINDS.find((kind) => production instanceof CHOICES[kind]);
    if (prodType === undefined) return inner;
    const { idx, maxLookahead = LOOKAHEAD } = node;
    return [{ rule, prodType, prodOccurrence: idx, maxLookahead }, ...inner];
  });
}

const KINDS = Object.keys(CHOICES) as readonly (keyof typeof CHOICES)[];

interface Numbered {
  readonly definition: readonly IProduction[];
  readonly maxLookahead?: number;
}
