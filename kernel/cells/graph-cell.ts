/** Turns a graph cell into graphs that later cells can run, and their drawings. */
import { join } from "node:path";
import {
  check,
  type Diagnostic,
  type Framed,
  type Ir,
  positionAt,
  type Source,
} from "../../dsl/index.ts";
import {
  callableNames,
  type Graph,
  layeredScope,
  RunError,
  type Scope,
} from "../../runtime/index.ts";
import { CommandError } from "../command-error.ts";
import { loadScope } from "../programs/load-scope.ts";
import { classify } from "./classify.ts";
import { frame, framesOutput } from "./frame-output.ts";
import { type AtWork, WrongText } from "./notebook.ts";

/** The graphs of the cell, in its order. They see what cells declare at the time they run, not now. */
export async function declareGraphs(code: string, at: AtWork): Promise<readonly Graph[]> {
  const { cell, notebook } = at;
  const { parts } = notebook;
  const source = { file: cell.name, text: withoutMagic(code) };
  const { graphs, scope, warnings } = await checkCell(source, at);
  const { signal } = cell;
  const said = await cell.orCancelled(parts.types().declareGraphs({ source, graphs }, { signal }));
  refuseErrors(source, said);
  tell(cell, source, [...warnings, ...said]);
  return graphs.map((ir) => {
    const graph = parts.session().graph(ir, { scope });
    notebook.names[ir.name] = graph;
    return graph;
  });
}

/** As many spaces, so that every place is where it is in the cell. */
function withoutMagic(code: string): string {
  const { start, options } = classify(code);
  if (options !== "") {
    throw new RunError("M7504", `\`%%graph\` has no option \`${options}\``, {
      hint: "begin the text of the graph on the next line",
    });
  }
  return code.slice(0, start).replace(/[^\r\n]/g, " ") + code.slice(start);
}

interface CheckedCell {
  readonly graphs: readonly Ir[];
  readonly scope: Scope;
  readonly warnings: readonly Diagnostic[];
}

/** What only TypeScript can tell: an unknown tool, an unknown function. */
const NEED_SCOPE: readonly string[] = ["M2106", "M2107"];

async function checkCell(source: Source, { cell, notebook }: AtWork): Promise<CheckedCell> {
  const first = check(source).diagnostics;
  refuseErrors(
    source,
    first.filter(({ code }) => !NEED_SCOPE.includes(code)),
  );
  const scope = await cell.orCancelled(scopeOf(source, notebook));
  const { diagnostics, graphs } = check(source, { scope: callableNames(scope) });
  refuseErrors(source, diagnostics);
  return { graphs, scope, warnings: diagnostics };
}

/** Its own imports before what cells declared, before what is built in. */
async function scopeOf(source: Source, { names, parts }: AtWork["notebook"]): Promise<Scope> {
  const { workspace } = parts.session();
  const path = join(process.cwd(), "cell.madrigal");
  try {
    const { docs, ...imported } = await loadScope({ source, path, workspace });
    return layeredScope(layeredScope({ docs }, names), imported);
  } catch (thrown) {
    throw thrown instanceof CommandError ? wrongImport(thrown, source) : thrown;
  }
}

function wrongImport(error: CommandError, source: Source): WrongText {
  const { code, message, hint, place } = error;
  const { line = 1, column = 1 } = place ?? {};
  const lines = source.text.split("\n");
  const end = positionAt(source, lines.slice(0, line).join("\n").length);
  const said: Framed = {
    code,
    severity: "error",
    message,
    file: source.file,
    line,
    column,
    endLine: line,
    endColumn: end.column,
    ...(hint === undefined ? {} : { hint }),
  };
  return new WrongText(framesOutput([said], source));
}

function refuseErrors(source: Source, diagnostics: readonly Diagnostic[]): void {
  const [first, ...others] = diagnostics.filter(({ severity }) => severity === "error");
  if (first !== undefined) throw new WrongText(framesOutput([first, ...others], source));
}

function tell(cell: AtWork["cell"], source: Source, warnings: readonly Diagnostic[]): void {
  for (const warning of warnings) cell.write("stderr", `${frame(warning, source)}\n`);
}
