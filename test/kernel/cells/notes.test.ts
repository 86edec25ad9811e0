/** What a cell shows beside its value: what `display` shows. */
import { expect, onTestFinished, test } from "vitest";
import { display } from "../../../kernel/display/index.ts";
import { openTestNotebook, useTypes } from "./notebook.ts";

useTypes();

const DISPLAY =
  "const { show } = globalThis as unknown as { show(value: unknown): Promise<unknown> };";

/** What cells import as `display`; a test's cells import another instance of the package. */
function withDisplay() {
  Object.assign(globalThis, { show: display });
  onTestFinished(() => void Reflect.deleteProperty(globalThis, "show"));
  const notebook = openTestNotebook();
  return async (code: string) => await notebook.run(`${DISPLAY}\n${code}`);
}

test("display takes forms by mime type as they are", async () => {
  const run = withDisplay();
  expect(await run('await show({ "text/html": "<b>hi</b>", "text/plain": "hi" });')).toBe(
    "display [text/html] hi",
  );
  expect(await run('await show({ data: { "text/plain": "hi" }, metadata: {} });')).toBe(
    "display hi",
  );
});

test("an object whose keys only look like paths is shown as an object", async () => {
  expect(await withDisplay()('await show({ "src/a.ts": "text" });')).toBe(
    "display { 'src/a.ts': 'text' }",
  );
});

test("what display gives is nothing to show, awaited or not", async () => {
  const run = withDisplay();
  expect(await run("show(1);")).toBe("display 1");
  expect(await run("await show(2);")).toBe("display 2");
  expect(await run("const shown = await show(3);\nshown")).toBe("display 3");
});

test("rows that have a name say how their next page is read", async () => {
  const notebook = openTestNotebook();
  const saved = await notebook.run("%%sql --save some\nFROM range(150)");
  expect(saved).toContain("`some.page(2)` has the next");
});
