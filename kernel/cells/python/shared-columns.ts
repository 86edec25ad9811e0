/** Selects the columns of a table so that Parquet, as Python reads it, has a type for each of them. */
import type { Row } from "../../../runtime/index.ts";
import type { Column } from "../../display/index.ts";

/** Whole numbers of 128 bits would become floats; ids, durations and bits have no type that each library reads. */
const WIDE = /\bU?HUGEINT\b/g;
const WITHOUT_TYPE = /\b(?:INTERVAL|BIGNUM|BIT|UUID|TIME WITH TIME ZONE)\b/g;

/** The columns behind SELECT; `ask` answers a query of sums over the table. */
export async function sharedColumns(
  columns: readonly Column[],
  ask: (sums: string) => Promise<Row>,
): Promise<string> {
  const wide = columns.filter(({ type }) => /^U?HUGEINT$/.test(type));
  const fits = (name: string, type: string) =>
    `coalesce(bool_and(${name} IS NULL OR TRY_CAST(${name} AS ${type}) IS NOT NULL), true)`;
  const sums = wide.flatMap(({ name }, at) => [
    `${fits(quoted(name), "BIGINT")} AS short_${at}`,
    `${fits(quoted(name), DECIMAL)} AS long_${at}`,
  ]);
  const found = sums.length === 0 ? {} : await ask(sums.join(", "));
  const typeOf = (column: Column) => {
    const at = wide.indexOf(column);
    if (at === -1) return column.type.replace(WIDE, DECIMAL).replace(WITHOUT_TYPE, "VARCHAR");
    if (found[`short_${at}`] === true) return "BIGINT";
    return found[`long_${at}`] === true ? DECIMAL : "VARCHAR";
  };
  if (columns.every((column) => typeOf(column) === column.type)) return "*";
  return columns
    .map((column) => {
      const name = quoted(column.name);
      return typeOf(column) === column.type ? name : `${name}::${typeOf(column)} AS ${name}`;
    })
    .join(", ");
}

const DECIMAL = "DECIMAL(38,0)";

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
