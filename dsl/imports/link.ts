/** Links a file with the programs that it imports. */
import type { Diagnostic, Finding } from "../diagnostics/diagnostic.ts";
import type { Source } from "../diagnostics/source.ts";
import { nearest } from "../names/nearest.ts";
import type {
  ImportedGraph,
  LinkedImport,
  LinkedProgram,
  OpenedImport,
} from "../names/symbol-tables.ts";
import type { FileAst, ImportDecl, Name } from "../syntax/tree/ast.ts";
import { isProgram, LIBRARY, LIBRARY_GRAPHS } from "../vocabulary/library-programs.ts";
import { isServerAddress } from "../vocabulary/servers.ts";
import type { Declaration } from "./declaration.ts";
import { ownDeclarations } from "./own-declarations.ts";
import { type ImportRequest, takeDeclarations } from "./take.ts";

/** Brings in what a file imports from other programs; a name that can't be had stays unknown, and is reported here. */
export function link(
  ast: FileAst,
  source: Source,
  open: (decl: ImportDecl) => OpenedImport,
): LinkedImport {
  const linking: ProgramLinking = {
    findings: [],
    requests: [],
    graphs: new Map(),
    programs: new Set(),
  };
  const circles: (readonly string[])[] = [];
  const imports = ast.items.filter((item) => item.kind === "import");
  for (const decl of imports.flatMap((one) => importsByFile(one, linking))) {
    const opened = open(decl);
    const finding = wrongWith(decl, source, opened);
    if (finding !== undefined) linking.findings.push(finding);
    else if (opened.kind === "program") request(decl, opened.program, linking);
    if (opened.kind === "circle") circles.push(opened.files);
  }
  const { findings, requests, graphs, programs } = linking;
  const [circle] = circles;
  return {
    findings,
    graphs,
    programs: [...programs],
    ...takeDeclarations(requests, ast),
    ...(circle === undefined ? {} : { circle }),
  };
}

interface ProgramLinking {
  readonly findings: Finding[];
  readonly requests: ImportRequest[];
  readonly graphs: Map<string, ImportedGraph>;
  readonly programs: Set<LinkedProgram>;
}

/** Returns the imports of other programs that an import stands for: of the library as a whole, one a name. */
function importsByFile(decl: ImportDecl, { findings }: ProgramLinking): readonly ImportDecl[] {
  const { from, names } = decl;
  if (from.value !== LIBRARY) return isProgram(from.value) ? [decl] : [];
  return names.flatMap((one) => {
    const { text, span } = one.name;
    const value = `${LIBRARY}/${LIBRARY_GRAPHS[text]}.madrigal`;
    if (Object.hasOwn(LIBRARY_GRAPHS, text))
      return [{ ...decl, names: [one], from: { ...from, value } }];
    const message = `\`${LIBRARY}\` has no \`${text}\``;
    findings.push({
      code: "M2402",
      message,
      span,
      hint: nearOf(text, Object.keys(LIBRARY_GRAPHS)),
    });
    return [];
  });
}

function request(decl: ImportDecl, program: LinkedProgram, linking: ProgramLinking): void {
  const offered = ownDeclarations(program.symbols, program.source.file).filter(isOffered);
  linking.programs.add(program);
  for (const { name, as = name } of decl.names) {
    const declarations = offered
      .filter((one) => one.name === name.text)
      .map((one) => withDescriptionFrom(decl.from.value, one));
    const graph = program.graphs.find((one) => one.graph.name.text === name.text);
    if (declarations.length > 0)
      linking.requests.push({ as, declarations, program, from: decl.from.value });
    if (graph !== undefined && !linking.graphs.has(as.text))
      linking.graphs.set(as.text, { as, graph });
    if (declarations.length === 0 && graph === undefined)
      linking.findings.push(notOffered(name, program, decl.from.value));
  }
}

/** The file that describes an API is meant from the program that declares it. */
function withDescriptionFrom(from: string, declaration: Declaration): Declaration {
  if (declaration.kind !== "mcp" || declaration.item.protocol === undefined) return declaration;
  const { value } = declaration.item;
  if (value.kind !== "literal" || typeof value.value !== "string") return declaration;
  const text = value.value;
  if (text.startsWith("/") || isServerAddress(text) || !from.startsWith(".")) return declaration;
  const folder = from.slice(0, from.lastIndexOf("/") + 1);
  const item = { ...declaration.item, value: { ...value, value: `${folder}${text}` } };
  return { ...declaration, item };
}

/**
 * Returns whether others can import the declaration: all but an import, which is imported from its
 * own file.
 */
function isOffered({ kind }: Declaration): boolean {
  return kind !== "import";
}

function wrongWith(
  { from }: ImportDecl,
  { file }: Source,
  opened: OpenedImport,
): Finding | undefined {
  const { span, value } = from;
  switch (opened.kind) {
    case "unknown":
      return undefined;
    case "nothing": {
      const isPath = value.startsWith(".") || value.startsWith("/");
      const where = isPath
        ? `the path is relative to the folder of ${file}`
        : "no package that is installed here has it; a path begins with `./`";
      const hint = opened.hint ?? where;
      return { code: "M2401", message: `there is no program \`${value}\``, span, hint };
    }
    case "circle": {
      const message = `this import forms a circle: ${opened.files.join(" -> ")}`;
      const hint = "put what both need into a file of its own, and import that one from both";
      return { code: "M2403", message, span, hint };
    }
    case "program": {
      const error = opened.program.diagnostics.find(({ severity }) => severity === "error");
      return error && hasErrors(from, error);
    }
  }
}

function hasErrors({ value, span }: ImportDecl["from"], error: Diagnostic): Finding {
  const { file, line, column, message, code } = error;
  return {
    code: "M2404",
    message: `\`${value}\` has errors`,
    span,
    hint: `\`madrigal check ${file}\` shows them all`,
    relatedInFiles: [{ file, line, column, message: `${code} ${message}` }],
  };
}

function notOffered(name: Name, program: LinkedProgram, from: string): Finding {
  const { ast } = program;
  const message = `\`${from}\` has no \`${name.text}\``;
  const finding = { code: "M2402", message, span: name.span } as const;
  const again = ast.items.find(
    (item) =>
      item.kind === "import" && item.names.some((one) => (one.as ?? one.name).text === name.text),
  );
  if (again?.kind === "import")
    return { ...finding, hint: `it imports that itself: import it from \`${again.from.value}\`` };
  if (ast.items.some((item) => item.kind === "test" && item.title.value === name.text))
    return { ...finding, hint: "that is a test, and tests are not imported" };
  return { ...finding, hint: nearOf(name.text, offeredNames(program)) };
}

function nearOf(name: string, offered: readonly string[]): string {
  const near = nearest(name, offered);
  if (near !== undefined) return `did you mean \`${near}\`?`;
  const all = offered.map((one) => `\`${one}\``).join(", ");
  return all === "" ? "it declares nothing" : `it has ${all}`;
}

/** Returns the names that others can import from a program: those that it declares itself. */
function offeredNames({ symbols, source, graphs }: LinkedProgram): readonly string[] {
  const declared = ownDeclarations(symbols, source.file).filter(isOffered);
  const names = [
    ...declared.map(({ name }) => name),
    ...graphs.map(({ graph }) => graph.name.text),
  ];
  return [...new Set(names)];
}
