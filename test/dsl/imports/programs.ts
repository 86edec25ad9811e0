import { type Checked, type CheckOptions, check, type Source } from "../../../dsl/index.ts";

/** Files by name; the first one is checked. Paths in imports are meant from one flat folder. */
export type Files = Readonly<Record<string, string>>;

export function checked(
  files: Files,
  options: CheckOptions = { allowUnreadPrograms: true },
): Checked {
  const [first] = Object.entries(files);
  if (first === undefined) throw new Error("there is no file");
  const [file, text] = first;
  return check({ file, text }, { programs: programsIn(files), ...options });
}

export function programsIn(files: Files): (from: string) => Source | undefined {
  return (from) => {
    const file = from.replace(/^\.\//, "");
    const text = files[file];
    return text === undefined ? undefined : { file, text };
  };
}

/** What is wrong with the first file, a line each; what is related stands behind `<-`. */
export function report(files: Files, options?: CheckOptions): string {
  return checked(files, options)
    .diagnostics.map(({ severity, code, line, column, message, hint, related = [] }) => {
      const kind = severity === "error" ? "" : `${severity} `;
      const others = related.map(
        (one) => ` <- ${one.file}:${one.line}:${one.column} ${one.message}`,
      );
      return `${kind}${code} ${line}:${column} ${message}${hint === undefined ? "" : ` (${hint})`}${others.join("")}`;
    })
    .join("\n");
}
