/** Strangers, visitors and values that would reach more of a notebook's app than they may. */
import { request } from "node:http";
import { expect, onTestFinished, test, vi } from "vitest";
import { say, servedApp, TOKEN, toldUntil } from "../../kernel/app/serving.ts";
import { holdCaseCount } from "../attack-table.ts";

const OWNERS = ["/owner", "/owner/visitors", "/owner/debug?visitor=1&run=last"] as const;

test.each(["/", "/events", "/assets/app.js", ...OWNERS])(
  "without a token %s is 401",
  async (path) => {
    const { url } = await servedApp();
    expect((await fetch(`${url}${path}`)).status).toBe(401);
  },
);

test.each(["/say", "/answer", "/again", "/owner/say", "/owner/command"])(
  "without a token nothing is said to %s",
  async (path) => {
    const { url } = await servedApp();
    expect(await say(`${url}${path}`, {})).toBe(401);
  },
);

test.each([
  ["a guessed token", "/?token=guessed"],
  ["an empty token", "/?token="],
  ["the token of visitors, for the owner's pages", `/owner?token=${encodeURIComponent(TOKEN)}`],
])("%s is 401", async (_, path) => {
  const { url } = await servedApp();
  expect((await fetch(`${url}${path}`, { redirect: "manual" })).status).toBe(401);
});

test.each(OWNERS)("a visitor does not see %s", async (path) => {
  const { url, enter } = await servedApp();
  const cookie = await enter();
  const owners = cookie.replace("visitor", "owner");
  expect((await fetch(`${url}${path}`, { headers: { cookie } })).status).toBe(401);
  expect((await fetch(`${url}${path}`, { headers: { cookie: owners } })).status).toBe(401);
});

test.each<readonly [string, number, Readonly<Record<string, string>>, unknown]>([
  ["a page of another site", 403, { origin: "https://evil.example" }, {}],
  ["a page of another server of this machine", 403, { origin: "http://localhost:1" }, {}],
  ["a page without an origin of its own", 403, { origin: "null" }, {}],
  ["a form of a page", 415, { "content-type": "text/plain" }, {}],
  ["a body of 1 MiB", 413, {}, "x".repeat(1024 * 1024)],
  ["a list", 400, {}, []],
  ["no JSON", 400, {}, "{"],
  ["a widget that is not there", 404, {}, { widget: "madrigal.agent", content: {} }],
])("%s is answered with %i", async (_, status, headers, body) => {
  const { url, enter } = await servedApp();
  expect(await say(`${url}/say`, body, { cookie: await enter(), ...headers })).toBe(status);
});

test("a name that a stranger's DNS leads here is refused", async () => {
  const { url } = await servedApp();
  const status = await new Promise((resolve, reject) => {
    const path = `/?token=${encodeURIComponent(TOKEN)}`;
    request(new URL(path, url), { headers: { host: "evil.example" } }, (response) => {
      response.resume();
      resolve(response.statusCode);
    })
      .on("error", reject)
      .end();
  });
  expect(status).toBe(403);
});

test("a flood of messages is held up", async () => {
  // The server of this process: no time goes by in which a message is allowed again.
  const clock = vi.spyOn(performance, "now").mockReturnValue(performance.now());
  onTestFinished(() => clock.mockRestore());
  const { url, enter } = await servedApp();
  const cookie = await enter();
  const all = await Promise.all(
    Array.from({ length: 400 }, () => say(`${url}/answer`, { value: "" }, { cookie })),
  );
  expect(all).toContain(429);
  expect(await say(`${url}/answer`, { value: "" }, { cookie: await enter() })).toBe(204);
});

test("visitors beyond the limit get no kernel", async () => {
  const { enter } = await servedApp([], { max: 2 });
  expect([await enter(), await enter()]).toEqual([
    expect.stringMatching(/^madrigal-visitor-/),
    expect.stringMatching(/^madrigal-visitor-/),
  ]);
  expect(await enter()).toBe("no cookie: 503");
});

test("a visitor reaches no widget of another, and a cookie of nobody is 401", async () => {
  const { url, enter } = await servedApp(['import { slider } from "madrigal";\nslider()']);
  const [one, other] = [await enter(), await enter()];
  const widgetOf = async (cookie: string) => {
    const stream = await toldUntil(`${url}/events`, cookie, (text) => text.includes('"ready"'));
    return /event: widget\ndata: \{"id":"([\w-]+)"/.exec(stream)?.[1] ?? "none";
  };
  const [mine, theirs] = [await widgetOf(one), await widgetOf(other)];
  const content = { values: [7] };
  expect(await say(`${url}/say`, { widget: mine, content }, { cookie: one })).toBe(204);
  expect(await say(`${url}/say`, { widget: theirs, content }, { cookie: one })).toBe(404);
  const forged = one.replace(/=.*/, "=guessed");
  expect(await say(`${url}/say`, { widget: mine, content }, { cookie: forged })).toBe(401);
});

const HOSTILE =
  '<script>alert(1)</script><img src=x onerror=alert(1)><iframe src=//evil.example></iframe><a href="javascript:alert(1)">link</a><form action=//evil.example><input name=a></form><p style="position:fixed;background:url(//evil.example)">kept</p>';

const QUOTED = JSON.stringify(HOSTILE);

test.each<readonly [string, readonly string[]]>([
  [
    "outputs do",
    [
      `import { html } from "madrigal";\nhtml\`${HOSTILE}\``,
      `({ toMimeBundle: () => ({ "text/html": ${QUOTED} }) })`,
      `import { md } from "madrigal";\nmd\`${HOSTILE}\``,
      `console.log(${QUOTED})`,
      `throw new Error(${QUOTED})`,
    ],
  ],
  ["the text of a question does", [`import { input } from "madrigal";\ninput(${QUOTED})`]],
])("%s nothing in a page", async (_, cells) => {
  const { url, enter } = await servedApp(cells);
  const stream = await toldUntil(`${url}/events`, await enter(), (text) =>
    /"failed"|"prompt"/.test(text),
  );
  const html = [...stream.matchAll(/event: outputs\ndata: (.*)/g)].map(([, data = ""]) => data);
  expect(html.join("\n")).not.toMatch(
    /<(?:script|img|iframe|form|a|input)\b|<[^>]*(?:href|onerror|url\()/,
  );
  expect([html.length, stream.includes('"prompt"')]).toEqual(
    cells.length > 1 ? [cells.length, false] : [0, true],
  );
});

test("an error shows a visitor no code of the notebook, and the page has a policy", async () => {
  const { url, enter } = await servedApp(["const secret = 'of the code';\nthrow new Error('no')"]);
  const cookie = await enter();
  const page = await fetch(url, { headers: { cookie } });
  const policy = page.headers.get("content-security-policy");
  expect(policy).toMatch(/default-src 'none'; script-src 'self';.*frame-ancestors 'none'/);
  const stream = await toldUntil(`${url}/events`, cookie, (text) => text.includes('"failed"'));
  expect(`${stream}${await page.text()}`).not.toContain("of the code");
});

holdCaseCount();
