/** A database of one table that knows one query. */
export const listTables = () => ["artist", "album"];
export const schemaOf = (tables: readonly string[]) =>
  tables.map((name) => `CREATE TABLE ${name}`).join("; ");

export function query(sql: string): string {
  if (!sql.startsWith("SELECT")) throw new Error(`a syntax error in ${sql}`);
  return "275";
}
