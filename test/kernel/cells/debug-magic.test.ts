/** `%debug` after a throw: the causes, the values that the lines name, and the run that is moved on once it is mended. */
import { expect, test } from "vitest";
import { openTestNotebook, useTypes } from "./notebook.ts";

useTypes();

const PARSE = `let price: string = "12x";
function parse(text: string): number {
  const number = Number(text);
  if (Number.isNaN(number)) throw new Error(\`no number: \${text}\`, { cause: new Error("typed by hand") });
  return number;
}
const lengthOf = (text: string) => text.length;`;

const SUM = `graph Sum(text: string) returns total {
  state { length: int  total: int }
  run first = lengthOf(text) writes length
  run add = parse(text) writes total
  start -> first -> add -> end
}`;

test("`%debug` tells the causes of a throw and the values that its lines name", async () => {
  const notebook = openTestNotebook();
  expect(await notebook.run("%debug")).toContain("no cell has failed");
  await notebook.run(PARSE);
  await notebook.run("const parsed = parse(price);");
  const text = await notebook.run("%debug");
  expect(text).toMatch(/Cell\[3\] failed[\s\S]*no number: 12x[\s\S]*caused by[\s\S]*typed by hand/);
  expect(text).toMatch(/price +string +'12x' +Cell\[3\]:1/);
  // What the debugger throws is no failure of the notebook.
  expect(await notebook.run("%debug continue")).toContain("M7860");
  expect(await notebook.run("%debug")).toContain("Cell[3] failed");
});

test("`%debug` shows the run that failed as it was before, and goes on with it once the cause is mended", async () => {
  const notebook = openTestNotebook();
  await notebook.run(PARSE);
  await notebook.run(SUM);
  await notebook.run("const { total } = await Sum.run({ text: price }).output;");
  const text = await notebook.run("%debug");
  expect(text).toMatch(/run [0-9a-f]{8} of Sum: failed, step 1 first, then M8301 in `add`/);
  expect(text).toMatch(/caused by Error[\s\S]*caused by Error: typed by hand/);
  expect(text).toContain('inputs of `add`:\n  text = "12x"');
  expect(text).toContain('state before it:\n  text = "12x"\n  length = 3');
  expect(await notebook.run("%debug state")).toContain("length = 3");
  expect(await notebook.run("%debug continue")).toContain("failed: M8301");
  await notebook.run("function parse(text: string): number { return Number.parseInt(text, 10); }");
  expect(await notebook.run("%debug step")).toContain("succeeded after 2 steps");
  expect(await notebook.run("%debug state")).toContain("total = 12");
  const [last] = notebook.session.list();
  expect(last).toMatchObject({ graph: "Sum", status: "succeeded" });
  expect(await notebook.run("%debug dance")).toContain("M5452");
});

test("a cell whose text is wrong takes the run that failed before it from nobody", async () => {
  const notebook = openTestNotebook();
  await notebook.run(PARSE);
  await notebook.run(SUM);
  await notebook.run("const { total } = await Sum.run({ text: price }).output;");
  await notebook.run("const x: number = 'a';");
  expect(await notebook.run("%debug")).toMatch(
    /Cell\[4\] failed[\s\S]*TS2322[\s\S]*of Sum: failed/,
  );
  expect(await notebook.run("%debug state")).toContain("length = 3");
});

test("`%debug` of a cell whose text is wrong, and of one that throws what is no error", async () => {
  const notebook = openTestNotebook();
  await notebook.run("const x: number = 'a';");
  expect(await notebook.run("%debug")).toContain("TS2322");
  await notebook.run("throw { secret: 1 };");
  expect(await notebook.run("%debug")).toMatch(/Cell\[3\] failed\n.*Thrown/);
});
