/** Sites that lead a reader on to where the guard of its run has not let it go. */
import { expect, test } from "vitest";
import { createWebTools, type Run, scripted } from "../../runtime/index.ts";
import { type SitePage, serveSite } from "../runtime/agents/web/site.ts";
import { ask, nextStop } from "../runtime/asks/asking.ts";
import { holdCaseCount } from "./attack-table.ts";

interface Places {
  readonly near: string;
  readonly far: string;
}

const to = (location: string): SitePage => ({ status: 302, headers: { location } });

/** Two sites, and a run whose agent reads `/` of the near one and then, if it is told, that of the far one. */
async function reading(
  pages: (places: Places) => Readonly<Record<string, SitePage>>,
  guard: (places: Places) => string,
  { robots = false, again = false } = {},
) {
  const far = await serveSite({ "/": "<p>far</p>" });
  const places = { far: far.host, near: "" };
  const own: Record<string, SitePage> = {};
  const near = await serveSite(own);
  places.near = near.host;
  Object.assign(own, pages(places));
  const read = (url: string) => ({ calls: [{ tool: "web.read", input: { url } }] });
  const turns = [read(near.url("/")), ...(again ? [read(far.url("/"))] : []), "done"];
  const text = `model m = "scripted"
config { guard: { ${guard(places)} } }
graph G(task: string) returns report {
  state { report: string = "" }
  agent work { model m; tools web.read; prompt \`\${task}\`; writes report; limit 9 turns }
  start -> work -> end
}`;
  const web = createWebTools({ privateHosts: [near.host, far.host], robots });
  const models = { m: scripted({ work: turns }) };
  const { run } = ask(text, { scope: { web }, models, input: { task: `Read ${near.url("/")}` } });
  await nextStop(run);
  return { run, near, far, told: await toldIn(run) };
}

async function toldIn(run: Run): Promise<string> {
  const told: unknown[] = [];
  for await (const event of run.stream("events"))
    if (event.kind === "tool.result") told.push(event.value ?? event.failure?.message);
  return JSON.stringify(told);
}

const allowNear = ({ near }: Places) => `urls: { allow: ["${near}"] }`;

test.each<
  [string, (places: Places) => Readonly<Record<string, SitePage>>, (places: Places) => string]
>([
  ["at once", ({ far }) => ({ "/": to(`http://${far}/`) }), allowNear],
  [
    "by a second redirect",
    ({ far }) => ({ "/": to("/next"), "/next": to(`http://${far}/?q=secret`) }),
    allowNear,
  ],
  ["without a scheme", ({ far }) => ({ "/": to(`//${far}/`) }), allowNear],
  [
    "with the allowed host as its user",
    ({ near, far }) => ({ "/": to(`http://${near}@${far}/`) }),
    allowNear,
  ],
  [
    "which is blocked",
    ({ far }) => ({ "/": to(`http://${far}/`) }),
    ({ far }) => `urls: { block: ["${far}"] }`,
  ],
  [
    "which no trusted value names",
    ({ far }) => ({ "/": to(`http://${far}/`) }),
    () => 'trust: ["task"]',
  ],
])("a redirect to another host is not followed, %s", async (_, pages, guard) => {
  const { far, told } = await reading(pages, guard);
  expect(told).toContain("M8612");
  expect(far.asked).toEqual([]);
});

test("a redirect to a blocked path of the same host is not followed", async () => {
  const { near, told } = await reading(
    () => ({ "/": to("/a/../admin/keys"), "/admin/keys": "<p>keys</p>" }),
    (places) => `urls: { allow: ["${places.near}"], block: ["${places.near}/admin"] }`,
  );
  expect(told).toContain("M8612");
  expect(near.asked).toEqual(["/"]);
});

test("a robots.txt that leads to another host is not followed either", async () => {
  const { far, told } = await reading(
    ({ far }) => ({ "/": "<p>near</p>", "/robots.txt": to(`http://${far}/`) }),
    allowNear,
    { robots: true },
  );
  expect(told).toContain("M8612");
  expect(far.asked).toEqual([]);
});

test("a new call with that address is decided on like any other, and a redirect within the host is followed", async () => {
  const { run, far } = await reading(
    ({ far }) => ({ "/": to("/next"), "/next": to(`http://${far}/`) }),
    allowNear,
    { again: true },
  );
  expect(run.interrupts).toMatchObject([{ shown: { url: `http://${far.host}/` } }]);
  expect(far.asked).toEqual([]);
  await run.answer(run.interrupts[0]?.id ?? "", { kind: "approve" });
  await run.output;
  expect(far.asked).toEqual(["/"]);
});

holdCaseCount();
