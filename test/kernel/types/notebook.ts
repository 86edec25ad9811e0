/** A notebook over the real type worker: cells go in, values, errors and completions come out as short texts. */
import { createRequire } from "node:module";
import { originalPositionFor, TraceMap } from "@jridgewell/trace-mapping";
import { check } from "../../../dsl/index.ts";
import { startTypes, type TypeClient } from "../../../kernel/types/client.ts";
import { readNames } from "../../../kernel/types/named/program-names.ts";
import type { Converted } from "../../../kernel/types/service.ts";

const require = createRequire(import.meta.url);

export class Notebook {
  readonly types: TypeClient;
  readonly exports: Record<string, unknown> = {};
  #cells = 0;

  constructor(types: TypeClient = startTypes()) {
    this.types = types;
  }

  /** Runs a TypeScript cell: its value, or its errors as `TS2304 1:5 message`. */
  async run(code: string): Promise<unknown> {
    const converted = await this.convert(code);
    const errors = converted.diagnostics.map(
      (one) =>
        `${one.code} ${one.line}:${one.column}-${one.endLine}:${one.endColumn} ${one.message}`,
    );
    return errors.length > 0 ? errors.join("\n") : this.#execute(converted);
  }

  convert(code: string): Promise<Converted> {
    this.#cells += 1;
    return this.types.convert({ name: `Cell[${this.#cells}]`, code });
  }

  /** Checks and declares a cell of graphs: its errors as `M3501 «what is marked» message (hint)`. */
  async graph(text: string, scope?: readonly string[]): Promise<string> {
    const source = { file: "cell", text };
    const names = readNames(source);
    const types = await this.types.typesOf(names);
    const { diagnostics, graphs, tests } = check(source, {
      scope,
      types,
      allowUnreadPrograms: true,
    });
    const errors = diagnostics.filter(({ severity }) => severity === "error");
    const cell = { source, names, graphs, tests, types };
    const found = errors.length > 0 ? errors : await this.types.declareGraphs(cell);
    const lines = text.split("\n");
    return found
      .map(({ code, message, hint, line, column, endLine, endColumn }) => {
        const end = line === endLine ? endColumn - 1 : undefined;
        const marked = lines[line - 1]?.slice(column - 1, end) ?? "";
        return `${code} «${marked}» ${message}${hint === undefined ? "" : ` (${hint})`}`;
      })
      .join("\n");
  }

  /** What is offered at `▮`, in its order. */
  async complete(text: string): Promise<readonly string[]> {
    const { items } = await this.types.complete(placeIn(text));
    return items.map((item) => item.text);
  }

  async inspect(text: string): Promise<string | undefined> {
    return (await this.types.inspect({ ...placeIn(text), detail: 0 }))?.plain;
  }

  async #execute({ js, hasTopLevelAwait, lastExpression }: Converted): Promise<unknown> {
    const asynchronous = Object.getPrototypeOf(async () => undefined).constructor;
    const run = new (hasTopLevelAwait ? asynchronous : Function)(...PARAMETERS, js);
    const importModule = (name: string) => import(name);
    await run(this.exports, require, importModule, { url: "file:///cell.ts" }, "/cell.ts", "/");
    if (lastExpression === undefined) return undefined;
    const value = this.exports[lastExpression];
    delete this.exports[lastExpression];
    return value;
  }
}

const PARAMETERS = ["exports", "require", "importModule", "importMeta", "__filename", "__dirname"];

/** A cell that a compiler would work on for minutes. */
export const ENDLESS_TYPES = Array.from(
  { length: 40 },
  (_, at) =>
    `type F${at}<N extends 0[], K> = N["length"] extends 18 ? K : F${at}<[...N, 0], [K, ${at}]> | F${at}<[...N, 0], [${at}, K]>; const v${at} = (x: F${at}<[], 1>) => x;`,
).join("\n");

/** The place of `▮`. */
export function placeIn(text: string): { readonly code: string; readonly offset: number } {
  const offset = text.indexOf("▮");
  return { code: text.replace("▮", ""), offset };
}

/** Where each line of the JavaScript that holds `mark` comes from, as `line:column` of the cell. */
export function originOf({ js, sourceMap }: Converted, mark: string): string {
  const before = js.slice(0, js.indexOf(mark));
  const line = before.split("\n").length;
  const column = before.length - before.lastIndexOf("\n") - 1;
  const origin = originalPositionFor(new TraceMap(sourceMap), { line, column });
  return `${origin.source} ${origin.line}:${(origin.column ?? 0) + 1}`;
}
