/** The contracts that others build on are written down: the guide names what the types have, and nothing else. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { MESSAGE_KINDS } from "../../../dsl/index.ts";
import { projectRoot } from "../../support/child.ts";

const read = (file: string) => readFileSync(join(projectRoot, file), "utf8");

/** The words in code of the first column of a table, whose head begins with `word`. */
function firstColumn(text: string, word: string): readonly string[] {
  const [, table = ""] = text.split(`\n| ${word} |`);
  const rows = table.split("\n\n")[0]?.split("\n").slice(2) ?? [];
  return rows.flatMap((row) =>
    [...(row.split("|")[1] ?? "").matchAll(/`(\w+)/g)].map(([, name = ""]) => name),
  );
}

/** The part of a file from a line on, up to a blank line behind its end. */
const declared = (text: string, begin: string) => text.split(begin)[1]?.split("\n}\n")[0] ?? "";

test("A123 a controller is written down with each of its methods and events", () => {
  const chapter = read("dsl/manual/29-strong-agents.md");
  const types = read("runtime/agents/operator/controller.ts");
  const methods = declared(types, "export interface Controller {").matchAll(/^ {2}(\w+)\??\(/gm);
  expect(firstColumn(chapter, "method").toSorted()).toEqual(
    [...methods].map(([, name]) => name).toSorted(),
  );
  const events = types
    .slice(
      types.indexOf("export type ControllerEvent"),
      types.indexOf("export interface ControllerUsage"),
    )
    .matchAll(/kind: "(\w+)"/g);
  expect(firstColumn(chapter, "event").toSorted()).toEqual(
    [...new Set([...events].map(([, kind]) => kind))].toSorted(),
  );
});

test("A123 so are the kinds and the parts of messages between nodes", () => {
  const chapter = read("dsl/manual/04-flow.md");
  const [, kinds = ""] = /The kinds are ([^.]*?), and every `type`/.exec(chapter) ?? [];
  expect([...kinds.matchAll(/`(\w+)`/g)].map(([, kind]) => kind)).toEqual([...MESSAGE_KINDS]);
  const [, parts = ""] = /list of `\{ ([\w, ]+) \}`/.exec(chapter) ?? [];
  const envelope = read("runtime/envelope.ts");
  for (const part of parts.split(", "))
    expect(envelope).toMatch(new RegExp(`readonly ${part}\\??:`));
});

test("A123 so is what a run tells while it goes on", () => {
  const chapter = read("dsl/manual/18-streams.md");
  const [, modes = ""] = /`run\.stream\(mode\)` gives (.*?)It begins/s.exec(chapter) ?? [];
  const types = read("runtime/event-stream/stream-types.ts");
  const named = declared(types, "export interface Streams<").matchAll(/^ {2}readonly (\w+):/gm);
  for (const [, mode = ""] of named) expect(modes).toContain(`\`${mode}\``);
});
