/** What a hole of a query may hold, and what is said of what it may not. */
import { expect, test } from "vitest";
import { bindHoles } from "../../../../kernel/cells/kinds/sql-holes.ts";
import { WrongText } from "../../../../kernel/cells/notebook.ts";

const names = { run: { id: "r1" }, list: [1], none: undefined, at: new Date(0), big: 2n };

function bound(hole: string): unknown {
  const sql = `SELECT \${${hole}} AS x`;
  try {
    return bindHoles({ file: "cell", text: sql }, sql, names).params[0];
  } catch (error) {
    if (!(error instanceof WrongText)) throw error;
    return error.output.traceback.join("\n");
  }
}

test("single values are bound as they are", () => {
  expect(["run.id", "big", "at"].map(bound)).toEqual(["r1", 2n, "1970-01-01T00:00:00.000Z"]);
});

test.each([
  ["run", "a run goes by its id: `${run.id}`"],
  ["list", "a hole takes a string, a number, true, false, null or a date"],
  ["none", "`none` is undefined"],
  ["rum", "did you mean `run`?"],
  ["1 + 1", "a hole takes a name of a cell and its members, as `run.id`"],
])("%s: says what to do", (hole, told) => {
  expect(bound(hole)).toContain(told);
});
