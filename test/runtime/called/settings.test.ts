/** Settings of called graphs, which the one who starts the run gives by the graph's name. */
import { expect, test } from "vitest";
import { commands } from "../mcp/servers.ts";
import { newSession } from "../scoped-run.ts";

const LOOK = `model m = "rules"
config { width: 3, server: "" }
mcp kit = server optional
graph Look(at: string) returns seen {
  state { seen: string
 sum: Json
 inner: string }
  run look = show(at, width) writes seen
  tool add = kit.get_sum({ a: 40, b: 2 }) writes sum
  graph within = Inner() writes inner
  start -> look -> within -> { server == "" -> end, else -> add }
  add -> end set seen = seen + inner + String(sum)
}
graph Inner() returns seen {
  state { seen: string }
  run look = show("in", width) writes seen
  start -> look -> end
}`;

const MINE = `import { Look } from "./look.madrigal"
config { width: 1 }
graph Mine() returns seen, own {
  state { seen: string
 own: string }
  graph go = Look("it") writes seen
  run look = show("own", width) writes own
  start -> go -> look -> end
}`;

function mine() {
  const { Mine } = newSession().compile(MINE, {
    file: "mine.madrigal",
    scope: { show },
    programs: (from) =>
      from.endsWith("look.madrigal") ? { file: "look.madrigal", text: LOOK } : undefined,
  });
  if (Mine === undefined) throw new Error("no graph");
  return Mine;
}

const show = (at: string, width: number) => `${at} ${width} `;

test("a setting of an imported program is given by the name of its graph, also to the graphs that it calls", async () => {
  expect(await mine().run({}).output).toEqual({ seen: "it 3 ", own: "own 1 " });
  const config = { width: 2, "Look.width": 9, "Look.server": commands.everything };
  const run = mine().run({}, { config });
  expect(await run.output).toEqual({
    seen: "it 9 in 9 The sum of 40 and 2 is 42.",
    own: "own 2 ",
  });
  expect(run.replay()).toMatchObject({ ok: true });
});

test.each([
  [{ "Look.widht": 3 }, "of which the graph uses `width`, `Look.width`, `Look.server`"],
  [{ "Look.width": "wide" }, "the setting `Look.width` is a number"],
  [{ "Lok.width": 3 }, "`Lok.width` is no setting"],
  [{ "Look.width.x": 3 }, "`Look.width.x` is no setting"],
  [{ "Look.guard": { approve: "always" } }, "`Look.guard` is no setting"],
])("what is no setting of a called graph is told: %j", (config, message) => {
  const refused = { code: "M5353", message: expect.stringContaining(message) };
  expect(() => mine().run({}, { config })).toThrow(expect.objectContaining(refused));
});
