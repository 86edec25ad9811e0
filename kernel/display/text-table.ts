/** Aligns columns of text, each as wide as its widest cell. */

export interface TextColumn<T> {
  readonly title: string;
  readonly cell: (row: T) => string;
  /** Numbers stand to the right. */
  readonly isNumber?: boolean;
}

export function textTable<T>(columns: readonly TextColumn<T>[], rows: readonly T[]): string {
  const cells = rows.map((row) => columns.map(({ cell }) => cell(row)));
  const lines = [columns.map(({ title }) => title), ...cells];
  const widths = columns.map((_, index) => Math.max(...lines.map((line) => width(line[index]))));
  return lines.map((line) => alignedLine(line, { columns, widths })).join("\n");
}

function alignedLine<T>(
  line: readonly string[],
  { columns, widths }: { readonly columns: readonly TextColumn<T>[]; readonly widths: number[] },
): string {
  const aligned = columns.map(({ isNumber }, index) => {
    const text = line[index] ?? "";
    const space = " ".repeat((widths[index] ?? 0) - width(text));
    return isNumber === true ? space + text : text + space;
  });
  return aligned.join("  ").trimEnd();
}

function width(text: string | undefined): number {
  return [...(text ?? "")].length;
}
