/** Prepares the statements of a database once each. */
import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";

export class Statements {
  readonly #open: () => DatabaseSync;
  #known: DatabaseSync | undefined;
  readonly #statements = new Map<string, StatementSync>();

  /** `open` is called when something is first asked. */
  constructor(open: () => DatabaseSync) {
    this.#open = open;
  }

  get database(): DatabaseSync {
    this.#known ??= this.#open();
    return this.#known;
  }

  run(text: string, ...values: readonly SQLInputValue[]): void {
    this.#statement(text).run(...values);
  }

  get<Row>(text: string, ...values: readonly SQLInputValue[]): Row | undefined {
    return this.#statement(text).get(...values) as Row | undefined;
  }

  all<Row>(text: string, ...values: readonly SQLInputValue[]): Row[] {
    return this.#statement(text).all(...values) as Row[];
  }

  #statement(text: string): StatementSync {
    const known = this.#statements.get(text);
    if (known !== undefined) return known;
    const statement = this.database.prepare(text);
    this.#statements.set(text, statement);
    return statement;
  }
}
