/** Explains a name of a query: a table or macro of the traces, a function of DuckDB. */
import { wordAt } from "../graphs/editor/word-at.ts";
import type { CellCursor, Inspection } from "../service.ts";
import {
  aliased,
  type CallWords,
  functionWords,
  macroWords,
  tablesIn,
  tableWords,
  traceWords,
} from "./sql-words.ts";

export function inspectSql({ code, offset }: CellCursor): Inspection | undefined {
  const { text: name, start } = wordAt(code, offset);
  if (name === "") return undefined;
  const isCall = /^\s*\(/.test(code.slice(start + name.length));
  return (
    (isCall ? undefined : inspectTable(name)) ?? inspectCall(name) ?? inspectColumn(name, code)
  );
}

function inspectTable(name: string): Inspection | undefined {
  const table = tableWords(name);
  if (table === undefined) return undefined;
  const columns = Object.entries(table.columns).map(
    ([column, type]) => `${column} ${type.toLowerCase()}`,
  );
  return sqlInspection(`${name.toLowerCase()} (\n  ${columns.join(",\n  ")}\n)`, table.note);
}

function inspectCall(name: string): Inspection | undefined {
  const call: CallWords | undefined = macroWords(name) ?? functionWords(name);
  if (call === undefined) return undefined;
  return sqlInspection(`${name.toLowerCase()}${call.signature}`, call.note);
}

/** Returns the type of a column, its tables and the notes on it. */
function inspectColumn(name: string, code: string): Inspection | undefined {
  const named = tablesIn(code);
  const looked = named.length > 0 ? named : Object.keys(traceWords().tables);
  const column = name.toLowerCase();
  const tables = looked.filter((table) => tableWords(table)?.columns[column] !== undefined);
  const [first] = tables;
  if (first === undefined) {
    const table = aliased(name, code);
    return table === column ? undefined : inspectTable(table);
  }
  const type = tableWords(first)?.columns[column]?.toLowerCase();
  return sqlInspection(
    `${column} ${type}\n-- of ${tables.join(", ")}`,
    traceWords().columns[column],
  );
}

function sqlInspection(text: string, note = ""): Inspection {
  const notes = note === "" ? [] : [note];
  return {
    plain: [text, ...notes].join("\n\n"),
    markdown: [`\`\`\`sql\n${text}\n\`\`\``, ...notes].join("\n\n"),
  };
}
