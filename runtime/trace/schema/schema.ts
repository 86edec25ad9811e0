/** Lists the statements that make a new trace file, and the version that follows from them. */
import { createHash } from "node:crypto";
import { TOTAL_COST, tableMacros } from "../macros/macros.ts";
import { views } from "../views/views.ts";
import { createTable, derivedTables, lastingTables } from "./tables.ts";

/** Makes the derived tables empty. */
export const DERIVED_TABLES: readonly string[] = derivedTables.map(createTable);

/** Everything in a new file, in order. */
export const SCHEMA: readonly string[] = [
  ...lastingTables.map(createTable),
  ...DERIVED_TABLES,
  TOTAL_COST,
  ...Object.values(views),
  ...Object.values(tableMacros),
];

/** Changes with every change of the schema: a file made by another one is rebuilt. */
export const schemaVersion: string = createHash("sha256")
  .update(SCHEMA.join(";"))
  .digest("hex")
  .slice(0, 16);
