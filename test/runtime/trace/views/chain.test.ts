/** The chain of a run in SQL: what each agent was asked, which tools it called, what it came to. */
import { expect, onTestFinished, test } from "vitest";
import { Session, scripted, tool } from "../../../../runtime/index.ts";
import { newFolder } from "../store.ts";

const text = `model m = "scripted"
graph Look(task: string) returns report {
  state { tasks: string[] = []  found: string[] = [] via append  report: string = "" }
  defaults { model m; retry 1 }
  agent plan { prompt \`Split \${task}\`; writes tasks }
  agent search(one: string) { tools web.search; prompt \`Find \${one}\`; writes found }
  run write = report(found) writes report
  start -> plan -> each one of tasks parallel 2 { search(one) } -> write
}`;

test("E27 [DB] each agent once, parallel ones too, with its request, its tools and its result", async () => {
  const session = new Session({ store: "memory", env: { MADRIGAL_HOME: newFolder() } });
  onTestFinished(() => session.close());
  const input = { type: "object", properties: { q: { type: "string" } } } as const;
  const search = tool(({ q }: { q: string }) => `page of ${q}`, { effect: "none", input });
  const scope = { web: { search }, report: (found: string[]) => found.join(" + ") };
  const graph = session.compile(text, { scope }).Look;
  const call = (q: string) => ({
    calls: [{ tool: "web_search", input: { q } }],
    when: `Find ${q}`,
  });
  const model = scripted({
    plan: [{ fails: "tired" }, ["a", "b"]],
    search: [call("a"), call("b"), { says: "A", when: "Find a" }, { says: "B", when: "Find b" }],
  });
  const run = graph?.run({ task: "x" }, { models: { m: model } });
  expect(await run?.output).toEqual({ report: "A + B" });
  const traces = await session.traces();
  const rows = await traces.query(`
    SELECT
      label,
      attempts,
      task ->> '$.task' AS task,
      result::VARCHAR AS result,
      list_transform(
        tools,
        lambda t: t.name || ' ' || (t.params ->> '$.q') || ': ' || (t.result ->> '$')
      ) AS tools,
      request IS NOT NULL AS asked
    FROM chain
    ORDER BY step`);
  const shown = rows.map((row) => Object.values(row).map(String).join(" | "));
  expect(shown.map((row) => row.replace(/^search#./, "search"))).toEqual([
    'plan#1 | 2 | x | ["a","b"] |  | true',
    'search | 1 | x | "A" | web.search a: page of a | true',
    'search | 1 | x | "B" | web.search b: page of b | true',
    'write#1 | 1 | x | "A + B" |  | false',
  ]);
});
