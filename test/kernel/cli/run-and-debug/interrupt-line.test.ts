/** Ctrl-C where the lines of `madrigal debug` are typed, as a terminal sends it. */
import { once } from "node:events";
import { createInterface } from "node:readline";
import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { interruptLine } from "../../../../kernel/cli/commands/run-and-debug/interrupt-line.ts";

const CTRL_C = "\x03";
const LEFT = "\x1b[D";

/** The line that came of what was typed, and how often what was under way was stopped. */
async function typed(keys: string, isBusy = false) {
  const [input, output] = [new PassThrough(), new PassThrough().resume()];
  const lines = createInterface({ input, output, terminal: true, prompt: "(debug) " });
  let stopped = 0;
  interruptLine(lines, { isBusy: () => isBusy, stop: () => (stopped += 1) });
  const read = once(lines, "line");
  input.write(keys);
  const [line] = await read;
  lines.close();
  return { line, stopped };
}

test("what was typed is given up, wherever the cursor stands, and nothing else is stopped", async () => {
  const keys = `conti${LEFT}${LEFT}${CTRL_C}step\n`;
  expect(await typed(keys)).toEqual({ line: "step", stopped: 0 });
});

test("with nothing typed it stops what goes on by itself", async () => {
  expect(await typed(`${CTRL_C}step\n`)).toEqual({ line: "step", stopped: 1 });
});

test("while a line is obeyed it stops that, and keeps what is typed ahead", async () => {
  expect(await typed(`st${CTRL_C}ep\n`, true)).toEqual({ line: "step", stopped: 1 });
});
