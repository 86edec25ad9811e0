import type { Finding } from "../diagnostic.ts";
import { isOffered } from "../scope.ts";
import { type FileSymbols, type GraphSymbols, graphSymbols } from "../symbols.ts";
import type { FileAst, Name, TestDecl } from "../syntax/ast.ts";
import { type Report, reportUnknown } from "./context.ts";

/** Checks the names in `test` declarations; of a graph from another file nothing is known here. */
export function checkTests(ast: FileAst, file: FileSymbols): readonly Finding[] {
  const findings: Finding[] = [];
  const report = (finding: Finding) => findings.push(finding);
  for (const item of ast.items) if (item.kind === "test") checkTest(item, file, report);
  return findings;
}

function checkTest(test: TestDecl, file: FileSymbols, report: Report): void {
  const graph = file.graphs.get(test.of.text);
  if (graph !== undefined) {
    checkScripts(test, graphSymbols(file, graph), report);
    return;
  }
  if (file.imports.has(test.of.text) || isOffered(file.scope, test.of.text)) return;
  reportUnknown(report, {
    code: "M2112",
    what: "graph",
    word: test.of.text,
    span: test.of.span,
    candidates: [...file.graphs.keys(), ...file.imports.keys()],
    otherwise: `import it: \`import { ${test.of.text} } from "./file.madrigal"\``,
  });
}

function checkScripts(test: TestDecl, symbols: GraphSymbols, report: Report): void {
  for (const item of test.items) {
    if (item.kind === "script") checkNode(item.node, symbols, report);
    if (item.kind === "expect-path") for (const node of item.path) checkNode(node, symbols, report);
    if (item.kind === "given")
      for (const { field } of item.assigns) checkGiven(field, symbols, report);
  }
}

function checkNode(name: Name, { nodes }: GraphSymbols, report: Report): void {
  if (nodes.has(name.text) || name.text === "start" || name.text === "end") return;
  const candidates = [...nodes.keys(), "start", "end"];
  reportUnknown(report, {
    code: "M2101",
    what: "node",
    word: name.text,
    span: name.span,
    candidates,
  });
}

function checkGiven(name: Name, { params, fields }: GraphSymbols, report: Report): void {
  if (params.has(name.text) || fields.has(name.text)) return;
  reportUnknown(report, {
    code: "M2102",
    what: "field or parameter",
    word: name.text,
    span: name.span,
    candidates: [...params.keys(), ...fields.keys()],
  });
}
