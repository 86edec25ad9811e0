/** Each agent has a browser of its own, which is found again after a kill, a pause and a fork, and is never another agent's. */
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test, vi } from "vitest";
import { missing } from "../../../support/python-env.ts";
import { type SitePage, serveSite } from "../web/site.ts";
import {
  browserProcesses,
  browsersEnd,
  call,
  ownBrowser,
  refOf,
  startAgent,
  TWO_TURNS,
  toldBy,
} from "./driven-browser.ts";

const reason = await missing("chromium");

/** The kills of the browser in this file: 50 by hand, few in CI. */
const KILLS = Number(process.env.MADRIGAL_BROWSER_KILLS ?? "16");

const LONG = `<title>Long</title><button>Top</button><div style="height:5000px"></div><button>Bottom</button>`;

const cookies: SitePage = (request, response) => {
  response.writeHead(200, { "content-type": "text/html", "set-cookie": "who=me; Path=/" });
  response.end(`<p>cookie: ${request.headers.cookie ?? "none"}</p>`);
};

const pages: Readonly<Record<string, SitePage>> = {
  "/": "<title>Home</title><button>Home</button>",
  "/long": LONG,
  "/cookie": cookies,
  "/late": `<p id="p">before</p><script>let n = 0; setInterval(() => { p.textContent = "after " + n++ }, 300)</script>`,
  "/slow": () => {
    // Never answers.
  },
};

describe.skipIf(reason !== undefined)("a browser for each agent", () => {
  test("M17 [BR] a browser that is killed comes back with its tabs, the one that was shown, and how far it was scrolled", async () => {
    const { host, url } = await serveSite(pages);
    const { use } = ownBrowser({ privateHosts: [host] });
    await use("visit", { url: url("/") });
    await use("open_tab", { url: url("/long") });
    await use("scroll", { down: 1200 });
    await use("open_tab", { url: url("/") });
    const before = await use("switch_tab", { tab: 2 });
    process.kill(browserProcesses()[0] ?? 0, "SIGKILL");
    await browsersEnd();
    const after = await use("observe");
    expect(tabsIn(after)).toBe(tabsIn(before));
    expect(tabsIn(after)).toBe(`Tabs: 1 ${url("/")}, 2 (shown) ${url("/long")}, 3 ${url("/")}`);
    const scrolls = await use("scroll", { ref: refOf("Bottom", after) });
    expect(scrolls).toContain("You scrolled.");
  });

  test("M17 M45 [BR] a fork finds the tabs of its step in a browser of its own, and `keepStorage` the cookies", async () => {
    const { host, url } = await serveSite(pages);
    for (const keepStorage of [false, true]) {
      const { run } = startAgent({
        options: { privateHosts: [host], keepStorage },
        text: TWO_TURNS,
        scope: { plusOne: (count: number) => count + 1 },
        // The fork asks the same model, which goes on in its list.
        says: [
          call("visit", { url: url("/cookie") }),
          "one",
          call("refresh"),
          "two",
          call("refresh"),
          "two",
        ],
      });
      await run.output;
      await browsersEnd();
      const fork = run.fork(2);
      await fork.output;
      const [, original = ""] = await toldBy(run);
      const forked = (await toldBy(fork)).at(-1) ?? "";
      expect(original).toContain("cookie: who=me");
      expect(forked).toContain(keepStorage ? "cookie: who=me" : "loaded the page anew");
      expect(tabsIn(forked)).toBe(tabsIn(original));
      await browsersEnd();
    }
  });

  test("M45 [BR] two agents of one run see nothing of each other's browser", async () => {
    const { host, url } = await serveSite(pages);
    const visit = { tools: "browser.*", path: url("/cookie") };
    const text = `model m = "scripted"
graph Work(task: string) returns answer, other {
  state {
    answer: string
    other: string
  }
  agent work { model m; tools ${visit.tools}; prompt \`\${task}\`; writes answer; limit 9 turns }
  agent next { model m; tools ${visit.tools}; prompt \`\${task}\`; writes other; limit 9 turns }
  start -> work -> next -> end
}`;
    const calls = [call("visit", { url: visit.path }), "done"] as const;
    const { run } = startAgent({
      options: { privateHosts: [host] },
      text,
      says: [...calls, call("tabs"), ...calls],
    });
    await run.output;
    const [first, tabs, second] = await toldBy(run);
    expect(first).toContain("cookie: none");
    expect(tabsIn(tabs ?? "")).toBe("Tabs: 1 (shown) about:blank");
    expect(second).toContain("cookie: none");
    await browsersEnd();
  });

  test("M115 [BR] the element that a person is asked about is marked on the page for as long as they are asked", async () => {
    const tells = `<button>Pay</button><script>new MutationObserver((all) => {
  for (const { addedNodes, removedNodes } of all) {
    if ([...addedNodes].some((one) => one.localName === "madrigal-marks")) fetch("/marked");
    if ([...removedNodes].some((one) => one.localName === "madrigal-marks")) fetch("/cleaned");
  }
}).observe(document.documentElement, { childList: true });</script>`;
    const { host, url, asked } = await serveSite({ "/": tells });
    const { run } = startAgent({
      options: { privateHosts: [host] },
      clauses: "approve tool browser.click",
      says: [call("visit", { url: url("/") }), call("click", { ref: "e2" }), "done"],
    });
    await run.settled();
    await vi.waitUntil(() => asked.includes("/marked"), { timeout: 60_000 });
    expect(run.interrupts[0]?.question).toContain('button "Pay"');
    expect(asked).not.toContain("/cleaned");
    await run.answer(run.interrupts[0]?.id ?? "", { kind: "deny" });
    await vi.waitUntil(() => asked.includes("/cleaned"), { timeout: 60_000 });
    await run.output;
    await browsersEnd();
  });

  test("M34 [BR] a pause cancels the action that runs, and the run goes on in the same browser", async () => {
    const { host, url, asked } = await serveSite(pages);
    const { run } = startAgent({
      options: { privateHosts: [host] },
      says: [call("visit", { url: url("/") }), call("visit", { url: url("/slow") }), "done"],
    });
    await vi.waitUntil(() => asked.includes("/slow"), { timeout: 60_000 });
    await run.pause({ now: true });
    expect(run.status).toBe("paused");
    const before = asked.length;
    void run.resume().catch(() => undefined);
    await vi.waitUntil(() => asked.length > before, { timeout: 60_000 });
    // The visit that was cut off is made again, and no other.
    expect(asked.slice(before)).toEqual(["/slow"]);
    await run.abort();
    await browsersEnd();
  });

  test("M34 [BR] a click that a pause cancels is told as that, and is not made again before a person says so", async () => {
    const { host, url, asked } = await serveSite({
      ...pages,
      // The page waits for an answer that never comes, and no click ends before.
      "/busy": `<button onclick="const asks = new XMLHttpRequest(); asks.open('GET', '/slow', false); asks.send()">Go</button>`,
    });
    const { run } = startAgent({
      options: { privateHosts: [host], actionMs: 60_000 },
      says: [call("visit", { url: url("/busy") }), call("click", { ref: "e2" }), "done"],
    });
    await vi.waitUntil(() => asked.includes("/slow"), { timeout: 60_000 });
    await run.pause({ now: true });
    expect(run.status).toBe("paused");
    await run.resume();
    await run.settled();
    const [question] = run.interrupts;
    expect(question).toMatchObject({ kind: "doubt", tool: "browser.click" });
    expect(question?.question).toContain("the run was paused, which cancelled the call");
    await run.answer(question?.id ?? "", { kind: "value", value: "You clicked it." });
    expect(await run.output).toEqual({ answer: "done" });
    expect(asked.filter((path) => path === "/slow")).toHaveLength(1);
    await browsersEnd();
  });

  test("E73 [BR] an agent waits until a page changes", async () => {
    const { host, url } = await serveSite(pages);
    const { use } = ownBrowser({ privateHosts: [host] });
    await use("visit", { url: url("/late") });
    expect(await use("watch", { every: 0.5 })).toMatch(/It changed after/);
    expect(await use("wait", { text: "after", seconds: 20 })).toContain("The text is there.");
  });

  test(`[BR] killed ${KILLS} times at any point, the browser ends as an error or not at all, and comes back`, async () => {
    const { host, url } = await serveSite(pages);
    const { use } = ownBrowser({ privateHosts: [host] });
    const ends = new Set<string>();
    await use("visit", { url: url("/long") });
    for (let kill = 0; kill < KILLS; kill += 1) {
      const shown = await use("observe", { from: 1 });
      const acts = Promise.allSettled([
        use("visit", { url: url("/long") }),
        use("observe", { picture: true }),
        use("click", { ref: refOf("Bottom", shown) }),
      ]);
      await sleep((kill * 37) % 160);
      const [first] = browserProcesses();
      if (first !== undefined) process.kill(first, "SIGKILL");
      for (const { status, reason: why } of (await acts) as {
        status: string;
        reason?: { code?: string; failure?: { code: string } };
      }[])
        ends.add(
          status === "fulfilled" ? "done" : (why?.code ?? why?.failure?.code ?? String(why)),
        );
    }
    for (const end of ends) expect(["done", "M8624", "M8202", "M8628", "M8622"]).toContain(end);
    expect(tabsIn(await use("observe"))).toBe(`Tabs: 1 (shown) ${url("/long")}`);
  });
});

function tabsIn(text: string): string {
  return text.split("\n").find((line) => line.startsWith("Tabs:")) ?? text;
}
