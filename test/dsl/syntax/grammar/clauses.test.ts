/** The clauses of a node, each with its parts. */
import { expect, test } from "vitest";
import { clauses, report } from "../reading.ts";

test("model, system, prompt, context", () => {
  expect(
    clauses(
      ["model smart", 'system "be kind"', "prompt `Hi ${x}`", "context { offload: 1k }"].join("\n"),
    ),
  ).toMatchInlineSnapshot(`
    "(model value=smart)
    (system value="be kind")
    (prompt value=\`Hi \${x}\`)
    (context value={offload: 1000})"
  `);
});

test("ask", () => {
  expect(clauses(["ask `Ship it?`", 'ask "Who?" from people'].join("\n"))).toMatchInlineSnapshot(`
    "(ask value=\`Ship it?\`)
    (ask value="Who?" from=people)"
  `);
});

test("tools", () => {
  expect(
    clauses(
      ['tools web.search, browser.*, server."get-sum", fs', 'tools server."get-sum".*'].join("\n"),
    ),
  ).toMatchInlineSnapshot(`
    "(tools tools=[web.search, browser.*, server.get-sum, fs])
    (tools tools=[server.get-sum.*])"
  `);
});

test("skills", () => {
  expect(clauses('skills "tdd", mine')).toMatchInlineSnapshot(`"(skills skills=["tdd", mine])"`);
});

test("controller", () => {
  expect(
    clauses(["controller codex", 'controller claude_code(cwd: ".")'].join("\n")),
  ).toMatchInlineSnapshot(`
    "(controller name=codex)
    (controller name=claude_code args=[(label=cwd value=".")])"
  `);
});

test("session", () => {
  expect(
    clauses(
      ["session new", "session reuse", "session reuse shared", "session resume f(x)"].join("\n"),
    ),
  ).toMatchInlineSnapshot(`
    "(session policy="new")
    (session policy="reuse")
    (session policy="reuse" name=shared)
    (session policy="resume" value=f(x))"
  `);
});

test("session reuse takes a name on its own line only", () => {
  expect(clauses(["session reuse", 'prompt "x"'].join("\n"))).toMatchInlineSnapshot(`
    "(session policy="reuse")
    (prompt value="x")"
  `);
});

test("reads earlier: on the line of its field, and a field may be called so", () => {
  const texts = [
    "reads earlier a",
    "reads a, earlier writes, earlier, earlier earlier",
    "reads earlier\nwrites b",
  ];
  expect(texts.map(clauses).join("\n")).toMatchInlineSnapshot(`
    "(reads fields=[a] earlier=[a])
    (reads fields=[a, writes, earlier, earlier] earlier=[writes, earlier])
    (reads fields=[earlier])
    (writes writes=[(field=b)])"
  `);
});

test("reads and edits", () => {
  expect(clauses(["reads a, tools", "edits b"].join("\n"))).toMatchInlineSnapshot(`
    "(reads fields=[a, tools])
    (edits fields=[b])"
  `);
});

test("writes", () => {
  expect(
    clauses(
      ["writes a", "writes patch = result.diff via replace, b?, c via union(x => x.id)"].join("\n"),
    ),
  ).toMatchInlineSnapshot(`
    "(writes writes=[(field=a)])
    (writes writes=[(field=patch value=result.diff via=(name=replace)), (field=b optional=true), (field=c via=(name=union args=[(value=((x) => x.id))]))])"
  `);
});

test("state of an instance", () => {
  expect(clauses("state { seen: int = 0 }")).toMatchInlineSnapshot(
    `"(state scope="run" fields=[(name=seen type=int value=0)])"`,
  );
});

test("effects", () => {
  expect(clauses("effects none; effects workspace; effects external")).toMatchInlineSnapshot(`
    "(effects level="none")
    (effects level="workspace")
    (effects level="external")"
  `);
});

test("tell", () => {
  expect(
    clauses(["tell a, b", "tell a as review", "tell * as T { x: 1, ...y }", "tell *"].join("\n")),
  ).toMatchInlineSnapshot(`
    "(tell targets=[a, b])
    (tell targets=[a] as=review)
    (tell as=T payload=(merge parts=[{x: 1}, (spread value=y)]))
    (tell)"
  `);
});

test("retry", () => {
  expect(
    clauses(
      [
        "retry 2",
        "retry n on transport | invalid, 1 on tool backoff 1s..20s",
        "retry 1 backoff 500ms",
      ].join("\n"),
    ),
  ).toMatchInlineSnapshot(`
    "(retry rules=[(count=2)])
    (retry rules=[(count=n on=[transport, invalid]), (count=1 on=[tool])] backoffMs=(from=1000 to=20000))
    (retry rules=[(count=1)] backoffMs=(from=500))"
  `);
});

test("limit", () => {
  expect(clauses("limit 3m, $0.50, 40k tokens else ask")).toMatchInlineSnapshot(
    `"(limit quantities=[180000ms, $0.5, 40000 tokens] elseAsk=true)"`,
  );
});

test("cache", () => {
  expect(
    clauses(["cache", "cache 1d", "cache 1d by url, task.query", "cache by url"].join("\n")),
  ).toMatchInlineSnapshot(`
    "(cache)
    (cache ttlMs=86400000)
    (cache ttlMs=86400000 by=[url, task.query])
    (cache by=[url])"
  `);
});

test("ensure", () => {
  expect(
    clauses(
      [
        "ensure a > 1",
        'ensure a "say why"',
        'ensure a "say why" else ask',
        "ensure a else ask",
        'ensure "all have a source" by judge',
      ].join("\n"),
    ),
  ).toMatchInlineSnapshot(`
    "(ensure condition=(a > 1))
    (ensure condition=a hint="say why")
    (ensure condition=a hint="say why" elseAsk=true)
    (ensure condition=a elseAsk=true)
    (ensure condition="all have a source" by=judge)"
  `);
});

test("ensure by needs a condition in quotes", () => {
  expect(
    report(["graph G {", "  agent a { ensure x > 1 by judge }", "}"].join("\n")),
  ).toMatchInlineSnapshot(
    `"M1109 2:29 \`by\` stands behind a condition in quotes, and nothing else does (write \`ensure "what must be so" by model\`, or leave \`by\` out)"`,
  );
});

test("every", () => {
  expect(
    clauses(
      [
        "every 1h",
        'every 5s..1h until "it is done" by judge max 48',
        "every steps[at].every until n",
        'every daily("09:00", "Europe/Paris")',
      ].join("\n"),
    ),
  ).toMatchInlineSnapshot(`
    "(every interval=3600000ms)
    (every interval=5000ms intervalMax=3600000ms until="it is done" by=judge max=48)
    (every interval=steps[at].every until=n)
    (every interval=daily("09:00", "Europe/Paris"))"
  `);
});

test("history", () => {
  expect(
    clauses(
      [
        "history",
        "history none",
        "history own",
        "history inbox 20 turns",
        "history thread 40k tokens summarize",
        "history 2k tokens",
      ].join("\n"),
    ),
  ).toMatchInlineSnapshot(`
    "(history source="own")
    (history source="none")
    (history source="own")
    (history source="inbox" size=20 turns)
    (history source="thread" size=40000 tokens summarize=true)
    (history source="own" size=2000 tokens)"
  `);
});

test("recall", () => {
  expect(
    clauses(["recall plans", "recall plans top 3 by task.title"].join("\n")),
  ).toMatchInlineSnapshot(`
    "(recall memory=plans)
    (recall memory=plans top=3 by=task.title)"
  `);
});

test("store", () => {
  expect(clauses("store { task, steps } into plans")).toMatchInlineSnapshot(
    `"(store value={task, steps} memory=plans)"`,
  );
});

test("approval of the node itself", () => {
  expect(
    clauses(["approve before `Sure?`", "approve after when n > 1 by boss within 30m"].join("\n")),
  ).toMatchInlineSnapshot(`
    "(approve when="before" consent=(text=\`Sure?\`))
    (approve when="after" consent=(when=(n > 1) by=boss withinMs=1800000))"
  `);
});

test("approval of tools", () => {
  expect(
    clauses(
      [
        "approve tool *",
        'approve tool shell, fs.write, server."rm-all" `Really?` when call.risk == "high" by guard within 1h',
      ].join("\n"),
    ),
  ).toMatchInlineSnapshot(`
    "(approve when="tool" consent=())
    (approve when="tool" tools=[shell, fs.write, server.rm-all] consent=(text=\`Really?\` when=(call.risk == "high") by=guard withinMs=3600000))"
  `);
});

test("set", () => {
  expect(clauses("set a = [] via replace, b = 1")).toMatchInlineSnapshot(
    `"(set assigns=[(field=a value=[] via=(name=replace)), (field=b value=1)])"`,
  );
  expect(clauses("set a = 1, b = b + 1")).toMatchInlineSnapshot(
    `"(set assigns=[(field=a value=1), (field=b value=(b + 1))])"`,
  );
});

test("semicolons are optional", () => {
  expect(clauses(["reads a; reads b reads c;", "reads d"].join("\n"))).toMatchInlineSnapshot(`
    "(reads fields=[a])
    (reads fields=[b])
    (reads fields=[c])
    (reads fields=[d])"
  `);
});
