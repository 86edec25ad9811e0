/** Explains the name at a place of a graph cell. */
import { LIBRARY, wordPage } from "../../../../dsl/index.ts";
import type { CellCursor, Inspection } from "../../service.ts";
import { apiBefore, apiNotes, type DeclaredApis, inspectOperation } from "./declared-apis.ts";
import { expressionSnippet, type Snippet } from "./expression-snippet.ts";
import { libraryPage } from "./library-names.ts";
import { namesInText, type TextName } from "./names-in-text.ts";
import { resultPage } from "./result-page.ts";
import { wordAt } from "./word-at.ts";

/** Asks TypeScript about the last name of a text; undefined when it knows nothing. */
export type AskTypeScript = (snippet: Snippet) => Inspection | undefined;

/** A word of the language where it is one, a name of the text, a member or a name of other cells. */
export function inspectGraph(
  { code, offset }: CellCursor,
  ask: AskTypeScript,
  apis: DeclaredApis,
): Inspection | undefined {
  const { text: name, start, end } = wordAt(code, offset);
  if (name === "") return undefined;
  const names = namesInText(code);
  const line = code.slice(code.lastIndexOf("\n", start - 1) + 1, start);
  const declared = names.filter((one) => one.name === name);
  if (isWord(line, code.slice(end), { name, isDeclared: declared.length > 0 })) return ofWord(name);
  const api = apiBefore(line, apis);
  if (api !== undefined) return inspectOperation(api, name, apis.get(api));
  if (/[\p{L}\p{N}_$\])]\s*\??\.\s*$/u.test(line)) return ask(expressionSnippet(code, end, names));
  const [best] = [...declared].sort((a, b) => nearness(b, start) - nearness(a, start));
  if (best !== undefined) return ofDeclaration(best, { code, names, apis });
  const known = ask(expressionSnippet(code, end, names));
  return name === "result" ? resultPage(known) : (known ?? ofWord(name));
}

/**
 * Returns whether a name is a word of the language here: it is at the beginning of an item or a
 * clause, and other words follow.
 */
function isWord(
  before: string,
  after: string,
  { name, isDeclared }: { readonly name: string; readonly isDeclared: boolean },
): boolean {
  if (wordPage(name) === undefined) return false;
  if (/^\s*[:=.(]/.test(after) && !/^\s*\(/.test(after)) return false;
  const begins = /(?:^|[{;)])\s*$/.test(before);
  return begins ? !/^\s*(?:->|\|)/.test(after) : !isDeclared && !/\.\s*$/.test(before);
}

/** The name that is declared around a place is meant before one of elsewhere. */
function nearness({ start, end }: TextName, at: number): number {
  return start <= at && at <= end ? 1 : 0;
}

function ofWord(word: string): Inspection | undefined {
  const page = wordPage(word);
  if (page === undefined) return undefined;
  const { usage, says } = page;
  return {
    plain: `${word}: ${says}\n\n${usage}`,
    markdown: `**${word}**: ${says}\n\n\`\`\`madrigal\n${usage}\n\`\`\``,
  };
}

interface InText {
  readonly code: string;
  readonly names: readonly TextName[];
  readonly apis: DeclaredApis;
}

/** A field or parameter whole, a node or graph by the line on which it begins, and who has to do with it. */
function ofDeclaration(found: TextName, { code, names, apis }: InText): Inspection {
  const line = code.slice(found.start, found.end).split("\n")[0] ?? "";
  const program =
    found.kind === "import" && line.includes(`"${LIBRARY}`) && libraryPage(found.name);
  if (program) {
    const { head, about } = program;
    return {
      plain: `${head}\n\n${about}`,
      markdown: `\`\`\`madrigal\n${head}\n\`\`\`\n\n${about}`,
    };
  }
  const notes = found.kind === "openapi" ? apiNotes(apis.get(found.name)) : notesOn(found, names);
  const below = notes.length === 0 ? "" : `\n\n${notes.join("\n")}`;
  return { plain: `${line}${below}`, markdown: `\`\`\`madrigal\n${line}\n\`\`\`${below}` };
}

function notesOn(
  { name, kind, graph, writes = [] }: TextName,
  names: readonly TextName[],
): readonly string[] {
  const inGraph = names.filter((one) => one.graph === graph);
  if (kind === "field") {
    const writers = inGraph.filter((one) => one.writes?.includes(name)).map((one) => one.name);
    return [
      `a field of ${graph}${writers.length === 0 ? "" : `, written by ${writers.join(", ")}`}`,
    ];
  }
  if (kind === "parameter") return [`a parameter${graph === undefined ? "" : ` in ${graph}`}`];
  if (writes.length > 0) {
    const typed = writes.map((field) => {
      const type = inGraph.find((one) => one.kind === "field" && one.name === field)?.type;
      return type === undefined ? field : `${field}: ${type}`;
    });
    return [`writes ${typed.join(", ")}`];
  }
  return [];
}
