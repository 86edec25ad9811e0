/** Tells the language of a cell by its first line; TypeScript is the default. */
import { classify } from "./classify.js";
import { indentGraphs } from "./indent-graphs.js";
import { graphTokens, magicTokens, sqlTokens } from "./tokens.js";

/** The length of a cell's beginning that decides its kind. */
const BEGINNING = 20_000;

/** `typescript` is JupyterLab's own support of it, which our cells keep. */
export function cellSupport(typescript, { language, common }) {
  const { Language, LanguageSupport, StreamLanguage, defineLanguageFacet } = language;
  const parsers = {
    typescript: typescript.language.parser,
    magic: StreamLanguage.define(magicTokens()).parser,
    python: StreamLanguage.define(magicTokens()).parser,
    shell: StreamLanguage.define(magicTokens()).parser,
    graph: StreamLanguage.define(graphTokens()).parser,
    sql: StreamLanguage.define(sqlTokens()).parser,
  };

  class CellParser extends common.Parser {
    createParse(input, fragments, ranges) {
      const { kind } = classify(input.read(0, Math.min(input.length, BEGINNING)));
      return (parsers[kind] ?? parsers.typescript).createParse(input, fragments, ranges);
    }
  }

  const data = defineLanguageFacet({ commentTokens: { line: "//" } });
  const cell = new Language(data, new CellParser(), [], "madrigal-cell");
  return new LanguageSupport(cell, [indentGraphs(language), typescript.support]);
}
