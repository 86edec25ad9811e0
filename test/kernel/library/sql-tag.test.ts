/** The tag `sql` of "madrigal", in a notebook and without one. */
import { expect, onTestFinished, test } from "vitest";
import { useHost } from "../../../kernel/host.ts";
import { sql } from "../../../kernel/index.ts";
import { closeSession, useSession } from "../../../kernel/session.ts";
import { Session } from "../../../runtime/index.ts";
import { temporaryFolder } from "../../support/child.ts";

/** A session of its own; the cell that asks is cancelled by `signal`. */
function asking(signal?: AbortSignal): void {
  useSession(new Session({ store: "memory", env: { MADRIGAL_HOME: temporaryFolder() } }));
  onTestFinished(closeSession);
  useHost({
    output: () => {},
    boundOutput: () => () => {},
    cellRun: () => undefined,
    signal: () => signal,
    ask: () => "",
  });
}

test("a query of too many rows is refused, and says what to do", async () => {
  asking();
  await expect(sql`SELECT * FROM range(100000000)`).rejects.toMatchObject({
    code: "M6104",
    message: "the query gives more than 100,000 rows",
    hint: "let SQL add up (`count(*)`, `GROUP BY`), or say `LIMIT`; sql.rowsMax(1000000)`SELECT …` reads more",
  });
  expect(await sql`SELECT count(*) AS n FROM range(100000000)`).toEqual([{ n: 100_000_000 }]);
});

test("how many rows are read can be raised", async () => {
  asking();
  const many = 100_001;
  expect(await sql.rowsMax(200_000)`SELECT * FROM range(${many})`).toHaveLength(many);
  await expect(sql.rowsMax(5)`SELECT * FROM range(6)`).rejects.toMatchObject({ code: "M6104" });
  for (const wrong of [Number.NaN, -1, 0, 1.5, Number.POSITIVE_INFINITY])
    await expect(sql.rowsMax(wrong)`SELECT 1`).rejects.toMatchObject({ code: "M7104" });
  expect(await sql.rowsMax(6)`SELECT * FROM range(6)`).toHaveLength(6);
});

test("a query that goes on for ever ends when its cell is cancelled, and the next one answers", async () => {
  const cell = new AbortController();
  asking(cell.signal);
  await sql`SELECT 1`;
  const endless = sql`SELECT sum(a.range * b.range) FROM range(100000000) a, range(100000000) b`;
  const ended = expect(endless).rejects.toMatchObject({
    code: "M6102",
    message: "the query was cancelled",
  });
  setImmediate(() => cell.abort());
  await ended;
  asking();
  expect(await sql`SELECT 2 AS two`).toEqual([{ two: 2 }]);
});
