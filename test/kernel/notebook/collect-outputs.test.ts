/** What a kernel publishes → what its cells show. */
import { expect, test } from "vitest";
import {
  OutputCollector,
  type Published,
} from "../../../kernel/notebook/execution/collect-outputs.ts";

const out = (text: string, name = "stdout"): Published => ({
  type: "stream",
  content: { name, text },
});
const show = (value: string, id?: string, type = "display_data"): Published => ({
  type,
  content: { data: { "text/plain": value }, metadata: {}, transient: { display_id: id } },
});
const clear = (wait: boolean): Published => ({ type: "clear_output", content: { wait } });

/** The outputs of cell `a`, after `[cell, message]` pairs. */
function collected(...published: readonly (readonly [string, Published])[]): readonly string[] {
  const collector = new OutputCollector();
  for (const [cell, message] of published) collector.take(cell, message);
  return collector
    .outputs("a")
    .map((output) =>
      output.output_type === "stream"
        ? `${output.name} ${output.text}`
        : "data" in output
          ? String(output.data["text/plain"])
          : output.ename,
    );
}

const inA = (...messages: readonly Published[]) =>
  collected(...messages.map((message) => ["a", message] as const));

test("each stream is one output, where it began", () => {
  expect(inA(out("1"), show("x"), out("2"), out("e", "stderr"), out("3"))).toEqual([
    "stdout 123",
    "x",
    "stderr e",
  ]);
});

test("stdout stands before a stderr that came just before it", () => {
  expect(inA(out("e", "stderr"), out("o"))).toEqual(["stdout o", "stderr e"]);
});

test("of a progress bar, the last state is kept", () => {
  expect(inA(out("1%\r50%"), out("\r100%\ndone\r\n"))).toEqual(["stdout 100%\ndone\r\n"]);
});

test("an update replaces the display wherever it is shown, also from another cell", () => {
  const update = show("new", "d", "update_display_data");
  expect(collected(["a", show("old", "d")], ["a", show("other")], ["b", update])).toEqual([
    "new",
    "other",
  ]);
  expect(collected(["a", show("old", "d")], ["b", show("again", "d")])).toEqual(["again"]);
});

test("an update of what is not shown shows nothing", () => {
  expect(inA(show("new", "gone", "update_display_data"))).toEqual([]);
});

test("clearing clears at once, or with the next output", () => {
  expect(inA(out("1"), clear(false))).toEqual([]);
  expect(inA(out("1"), clear(true))).toEqual(["stdout 1"]);
  expect(inA(out("1"), clear(true), out("2"))).toEqual(["stdout 2"]);
  const update = show("new", "d", "update_display_data");
  expect(inA(show("old", "d"), clear(false), update)).toEqual([]);
});

test("messages that show nothing are no outputs", () => {
  expect(
    inA({ type: "execute_input", content: { code: "1" } }, { type: "comm_open", content: {} }),
  ).toEqual([]);
});

test.each([
  ["10%\r50%\r100%\n", "100%\n"],
  ["one\r\ntwo\r\n", "one\r\ntwo\r\n"],
  ["a\rb\r", "b\r"],
  ["a\r\rb", "b"],
  ["x".repeat(1_000_000), "x".repeat(1_000_000)],
])("of what a return overwrites, the last state is kept: %#", (written, kept) => {
  expect(inA(out(written))).toEqual([`stdout ${kept}`]);
});
