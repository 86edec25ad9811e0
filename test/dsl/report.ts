import { type CheckOptions, check, type Ir } from "../../dsl/index.ts";

/**
 * Checks a text and returns what is found, a line each: `M2101 4:11 no node is called "writer" (did you mean `write`?)`.
 * A line that is no error begins with `warning ` or `info `.
 */
export function report(
  text: string,
  options: CheckOptions = { allowUnreadPrograms: true },
): string {
  const { diagnostics } = check({ file: "test.madrigal", text }, options);
  return diagnostics
    .map(({ severity, code, line, column, message, hint }) => {
      const kind = severity === "error" ? "" : `${severity} `;
      return `${kind}${code} ${line}:${column} ${message}${hint === undefined ? "" : ` (${hint})`}`;
    })
    .join("\n");
}

/** A graph around the lines that a test is about, with the model `m` if they use it. */
export function graph(lines: string, head = "topic: string"): string {
  const model = /\b(?:model|by) m\b/.test(lines) ? 'model m = "openai/gpt-4o"' : "";
  return `${model}\ngraph G(${head}) returns a {\n${lines}\n}\n`;
}

/** What checking finds in the lines of a graph; lines are counted from the first of them. */
export function reportGraph(lines: string, head?: string): string {
  const text = graph(lines, head);
  return report(text).replaceAll(
    /(\d+):(\d+)/g,
    (_all, line: string, column: string) => `${Number(line) - 2}:${column}`,
  );
}

/** The first graph of a text that has no errors. */
export function compiled(text: string, options: CheckOptions = { allowUnreadPrograms: true }): Ir {
  const { graphs, diagnostics } = check({ file: "test.madrigal", text }, options);
  const [first] = graphs;
  if (first === undefined)
    throw new Error(`does not compile:\n${JSON.stringify(diagnostics, null, 1)}\n${text}`);
  return first;
}

/** The codes of all that is found in a text, in its order. */
export function codesOf(text: string, options?: CheckOptions): readonly string[] {
  const lines = report(text, options).split("\n");
  return lines.filter((line) => line !== "").map((line) => /M\d+/.exec(line)?.[0] ?? line);
}
