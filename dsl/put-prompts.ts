/** Puts other texts in the place of the prompts of a checked graph: `answer_it.system`, `answer_it.prompt`. */
import type { Diagnostic } from "./diagnostics/diagnostic.ts";
import { expressionIn } from "./expression-in.ts";
import { hashIr, withoutSpans } from "./ir/hash.ts";
import type { ExprIr, Ir, NodeIr } from "./ir/ir.ts";
import { nearest } from "./names/nearest.ts";

/** The texts that take the place of prompts, by their keys; `${field}` is a hole, as in the program. */
export type PromptTexts = Readonly<Record<string, string>>;

const CLAUSES = ["system", "prompt"] as const;
type PromptClause = (typeof CLAUSES)[number];

/** The keys of a graph's prompts: each node that has one may be given a `system`, too. */
function promptKeys({ nodes }: Pick<Ir, "nodes">): readonly string[] {
  return nodes.flatMap(({ name, prompt }) =>
    prompt === undefined ? [] : CLAUSES.map((clause) => `${name}.${clause}`),
  );
}

/**
 * The graph with these texts, under another hash, and what is wrong with them, at the place in the text; `fileOf` names the
 * file of a key.
 */
export function putPrompts(
  ir: Ir,
  texts: PromptTexts,
  fileOf: (key: string) => string = (key) => key,
): { readonly ir: Ir; readonly diagnostics: readonly Diagnostic[] } {
  const diagnostics: Diagnostic[] = [];
  let { nodes } = ir;
  for (const [key, text] of Object.entries(texts)) {
    const file = fileOf(key);
    const place = findPlace(ir, key);
    if (place === undefined) {
      diagnostics.push(noPrompt(ir, key, file));
      continue;
    }
    const read = readText(ir, text, { node: place.node, file });
    diagnostics.push(...read.diagnostics);
    const { expression } = read;
    if (expression !== undefined) nodes = nodes.map((one) => withText(one, place, expression));
  }
  const { hash: _, ...rest } = { ...ir, nodes };
  return { ir: { ...rest, hash: hashIr(rest as Ir) }, diagnostics };
}

interface PromptPlace {
  readonly node: string;
  readonly clause: PromptClause;
}

function findPlace(ir: Ir, key: string): PromptPlace | undefined {
  if (!promptKeys(ir).includes(key)) return undefined;
  const at = key.lastIndexOf(".");
  return { node: key.slice(0, at), clause: key.slice(at + 1) as PromptClause };
}

function withText(node: NodeIr, { node: name, clause }: PromptPlace, text: ExprIr): NodeIr {
  return node.name === name ? { ...node, [clause]: text } : node;
}

function readText(
  ir: Ir,
  text: string,
  { node, file }: { readonly node: string; readonly file: string },
): { readonly expression: ExprIr | undefined; readonly diagnostics: readonly Diagnostic[] } {
  // Outside of holes, a file has no escapes.
  const escaped = text.replace(/[\\`]/g, "\\$&");
  const { expression, diagnostics } = expressionIn(ir, `\`${escaped}\``, { node });
  // Its places are not those of the program.
  if (expression !== undefined)
    return { expression: withoutSpans(expression) as ExprIr, diagnostics: [] };
  const lines = text.split("\n");
  return { expression: undefined, diagnostics: diagnostics.map((one) => inFile(one, file, lines)) };
}

/** Moves a diagnostic from the escaped text to that of the file. */
function inFile(diagnostic: Diagnostic, file: string, lines: readonly string[]): Diagnostic {
  const columnOf = (line: number, column: number) => {
    const unescaped = lines[line - 1] ?? "";
    let left = column - (line === 1 ? 2 : 1);
    let at = 0;
    for (; left > 0 && at < unescaped.length; at += 1) {
      left -= /[\\`]/.test(unescaped[at] ?? "") ? 2 : 1;
    }
    return at + 1;
  };
  const { line, column, endLine, endColumn } = diagnostic;
  return {
    ...diagnostic,
    file,
    column: columnOf(line, column),
    endColumn: columnOf(endLine, endColumn),
  };
}

function noPrompt(ir: Ir, key: string, file: string): Diagnostic {
  const keys = promptKeys(ir);
  const meant = nearest(key, keys);
  const all = keys.length === 0 ? "it has none" : `it has ${keys.join(", ")}`;
  return {
    code: "M8177",
    severity: "error",
    message: `\`${ir.name}\` has no prompt \`${key}\``,
    hint: meant === undefined ? all : `did you mean \`${meant}\`?`,
    file,
    line: 1,
    column: 1,
    endLine: 1,
    endColumn: 1,
  };
}
