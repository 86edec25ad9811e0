import bindings from "@duckdb/node-bindings";
import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { appendRows } from "../../../../runtime/trace/columns/append.ts";
import { IN_MEMORY, openDatabase } from "../../../../runtime/trace/database/database.ts";
import { createTable, type Table } from "../../../../runtime/trace/schema/tables.ts";

const table = {
  name: "each_type",
  columns: {
    text: "VARCHAR",
    flag: "BOOLEAN",
    small: "USMALLINT",
    whole: "UINTEGER",
    big: "BIGINT",
    real: "DOUBLE",
    time: "TIMESTAMP",
  },
} as const satisfies Table;

const orNull = <T>(of: fc.Arbitrary<T>) => fc.option(of, { nil: null });
const row = fc.record({
  text: orNull(fc.string({ unit: "grapheme" }).map((text) => text.replaceAll("\0", ""))),
  flag: orNull(fc.boolean()),
  small: orNull(fc.nat({ max: 0xffff })),
  whole: orNull(fc.nat({ max: 0xffffffff })),
  big: orNull(fc.maxSafeInteger()),
  real: orNull(fc.double({ noNaN: true })),
  // A thousandth of a millisecond is as fine as a timestamp is.
  time: orNull(fc.integer({ min: -1e15, max: 4e15 }).map((microseconds) => microseconds / 1_000)),
});

// Few texts, again and again, as most columns of a trace have them; many, as payloads are.
const rowsOf = fc.oneof(
  fc.array(row, { maxLength: 70 }),
  fc.tuple(row, fc.integer({ min: 2_047, max: 2_050 })).map(([one, n]) => Array(n).fill(one)),
  fc
    .tuple(fc.array(row, { minLength: 2, maxLength: 9 }), fc.integer({ min: 1, max: 2_500 }))
    .chain(([kinds, n]) =>
      fc.array(fc.nat(kinds.length - 1), { minLength: n, maxLength: n }).map((of) =>
        // A text by its value, not by its identity: what comes of two events is never one object.
        of.map((kind) => ({ ...kinds[kind], text: again(kinds[kind]?.text) })),
      ),
    ),
);

function again(text: string | null | undefined): string | null {
  return text === null || text === undefined ? null : `${text} `.slice(0, -1);
}

async function opened() {
  const database = await openDatabase(IN_MEMORY);
  if ("kind" in database) throw new Error(database.message);
  onTestFinished(() => database.close());
  return database;
}

const { copy_data_to_vector: _, ...lesser } = bindings;

test.each([
  ["by the bindings", bindings, 25],
  ["by the public API, where the bindings lack what we call", lesser as typeof bindings, 6],
])(
  "law: rows of any cells come back, also where a column is all one value or all NULL, %s",
  async (__, by, numRuns) => {
    const database = await opened();
    const { writer } = database;
    await fc.assert(
      fc.asyncProperty(rowsOf, async (rows) => {
        await writer.run(createTable(table));
        await appendRows({ ...database, bindings: by, connection: writer }, table, rows);
        const reader = await writer.runAndReadAll(
          "SELECT * REPLACE (epoch_us(time) AS time) FROM each_type",
        );
        const expected = rows.map(({ big, time, ...rest }) => ({
          ...rest,
          big: big === null ? null : BigInt(big),
          time: time === null ? null : BigInt(Math.round(time * 1_000)),
        }));
        expect(reader.getRowObjectsJS()).toEqual(expected);
      }),
      { numRuns },
    );
  },
);
