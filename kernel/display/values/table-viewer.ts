/** Shows a table as a widget: its rows stay in the kernel, and the page asks for those that it shows. */
import { currentHost } from "../../host.ts";
import type { Widget, WidgetState } from "../../widgets/widgets.ts";
import { cellText, isNumeric } from "../table/cell-text.ts";
import { csvText } from "../table/csv.ts";
import { Rows } from "../table/rows.ts";
import { counted, cut, visible, visibleLine } from "../visible.ts";
import { memberOf, type RowsAsked, selectRows, type ViewedRows } from "./select-rows.ts";
import { summarizeColumn } from "./summarize-column.ts";

/** Fewer rows are seen at a glance. */
export const VIEWER_ROWS = 11;
/** The page asks for so many at a time. */
const BLOCK_ROWS = 100;
const CELL_CHARACTERS = 300;
const VALUE_CHARACTERS = 20_000;
/** A text of more rows is not sent to the page. */
const FILE_ROWS = 200_000;
/** Older tables give back their rows; the page shows their first hundred. */
const OPEN_MAX = 50;

const open: Widget[] = [];

export interface ViewerOptions {
  /** The line below: how many rows there are that were not read. */
  readonly note?: string;
  /** Rows can be chosen in it, one or any number. */
  readonly chooses?: "one" | "several";
  readonly state?: WidgetState;
  readonly take?: (content: Readonly<Record<string, unknown>>) => unknown;
}

/** Undefined where no front end has widgets. */
export function openViewer(viewed: ViewedRows, options: ViewerOptions = {}): Widget | undefined {
  const widgets = currentHost()?.widgets;
  if (widgets?.isSupported !== true) return undefined;
  const viewer = new Viewer({ ...viewed, rows: viewed.rows.slice() });
  const { take, state = {}, note = "", chooses = "" } = options;
  const widget = widgets.open({
    view: "table-viewer.js",
    state: { ...viewer.state(), note, chooses, ...state },
    take: async (content) => {
      const { ask } = content;
      if (typeof ask !== "string") return await take?.(content);
      widget.send({ answer: ask, ...(await viewer.answer(content)) });
    },
  });
  open.push(widget);
  if (open.length > OPEN_MAX) open.shift()?.close();
  return widget;
}

class Viewer {
  readonly #viewed: ViewedRows;
  #selected: { readonly key: string; readonly numbers: Promise<readonly number[]> };

  constructor(viewed: ViewedRows) {
    this.#viewed = viewed;
    this.#selected = { key: "{}", numbers: Promise.resolve([...viewed.rows.keys()]) };
  }

  state(): WidgetState {
    const { rows, columns } = this.#viewed;
    return {
      columns: columns.map((column) => ({
        name: cut(visibleLine(column.name), CELL_CHARACTERS),
        type: cut(visibleLine(column.type).toLowerCase(), 30),
        isNumber: isNumeric(column),
      })),
      total: rows.length,
      rows: Array.from({ length: Math.min(rows.length, BLOCK_ROWS) }, (_, at) => this.#row(at)),
    };
  }

  /** The answer to a question of the page; one that can't be answered says why. */
  async answer(
    asked: Readonly<Record<string, unknown>>,
  ): Promise<Readonly<Record<string, unknown>>> {
    const of = readAsked(asked.of);
    const numbers = await this.#numbers(of);
    const { rows, columns } = this.#viewed;
    if (typeof asked.from === "number") {
      const shown = numbers.slice(asked.from, asked.from + BLOCK_ROWS);
      return { total: numbers.length, rows: shown.map((number) => this.#row(number)) };
    }
    if (asked.summary === true) {
      const summary: (readonly string[])[] = [];
      for (const column of columns)
        summary.push(await summarizeColumn(this.#viewed, column, numbers));
      return { summary };
    }
    if (typeof asked.value === "number" && typeof asked.column === "number") {
      const column = columns[asked.column];
      if (column === undefined) return {};
      const { text, exact } = cellText(memberOf(rows[asked.value], column), column);
      return { value: visible(cut(pretty(exact ?? text), VALUE_CHARACTERS)) };
    }
    if (asked.file === "csv" || asked.file === "tsv") {
      if (numbers.length > FILE_ROWS) {
        return {
          fault: `${counted(numbers.length)} rows are too many to copy: rows.csv("file.csv") writes them`,
        };
      }
      const chosen = new Rows(
        numbers.map((number) => rows[number] ?? {}),
        columns,
      );
      return { file: asked.file === "csv" ? csvText(chosen) : tsvText(chosen) };
    }
    return {};
  }

  /** The last selection is kept: its rows are asked for page by page. */
  #numbers(of: RowsAsked): Promise<readonly number[]> {
    const key = JSON.stringify(of);
    if (this.#selected.key !== key) this.#selected = { key, numbers: selectRows(this.#viewed, of) };
    return this.#selected.numbers;
  }

  /** Its number, and the text and kind of each cell, with the exact value where the text is rounded. */
  #row(number: number): readonly unknown[] {
    const { rows, columns } = this.#viewed;
    const cells = columns.map((column) => {
      const { text, kind, exact } = cellText(memberOf(rows[number], column), column);
      const shown = visibleLine(cut(text, CELL_CHARACTERS));
      return exact === undefined ? [shown, kind] : [shown, kind, exact];
    });
    return [number, ...cells];
  }
}

function readAsked(given: unknown): RowsAsked {
  const { search, filters, sort } = (given ?? {}) as RowsAsked;
  return {
    ...(typeof search === "string" && search !== "" && { search }),
    ...(typeof filters === "object" && { filters }),
    ...(typeof sort?.column === "number" && { sort }),
  };
}

/** JSON as people read it. */
function pretty(text: string): string {
  if (!/^[[{]/.test(text)) return text;
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2);
  } catch {
    return text;
  }
}

/** The form in which a spreadsheet takes rows from the clipboard; formulas stay texts, as in CSV. */
function tsvText(rows: Rows): string {
  const line = (cells: readonly string[]) =>
    cells.map((cell) => guarded(cell).replace(/[\t\r\n]+/g, " ")).join("\t");
  const head = line(rows.columns.map(({ name }) => name));
  const lines = Array.from(rows, (row) =>
    line(
      rows.columns.map((column) => {
        const value = memberOf(row, column);
        if (value === null || value === undefined) return "";
        const { text, exact } = cellText(value, column);
        return exact ?? text;
      }),
    ),
  );
  return [head, ...lines].join("\n");
}

function guarded(text: string): string {
  return /^[=+@]|^-(?![\d.])/.test(text) ? `'${text}` : text;
}
