/** A person takes over the browser of an agent, who waits and goes on in the same browser. */
import { filter, firstValueFrom, map, skip } from "rxjs";
import { describe, expect, test } from "vitest";
import type { Interrupt, LivePage, Run, TakenPage } from "../../../../runtime/index.ts";
import { missing } from "../../../support/python-env.ts";
import { serveSite } from "../web/site.ts";
import { call, startAgent, toldBy } from "./driven-browser.ts";

const reason = await missing("chromium");

const LOGIN = `<title>Log in</title><style>* { margin: 0; padding: 0 }</style>
<input id="name" style="position:absolute;left:0;top:0;width:200px;height:50px">
<button onclick="document.title = 'In'; who.textContent = 'Hello ' + document.getElementById('name').value"
  style="position:absolute;left:0;top:100px;width:200px;height:50px">Go</button>
<p id="who" style="position:absolute;top:200px">nobody</p>`;

describe.skipIf(reason !== undefined)("a browser that a person takes over", () => {
  test("an agent hands its browser over, a person logs in by the picture, and the agent goes on there", async () => {
    const { run, url } = await runAtLogin([call("hand_over", { why: "log in" })]);
    const live = await livePageOf(run);
    const asked = await firstQuestion(run);
    expect(asked.question).toContain("log in");
    const taken = await live.takeOver();
    await expect(live.takeOver()).rejects.toMatchObject({ code: "M8631" });
    await logIn(taken);
    expect(await taken.picture()).toBeInstanceOf(Uint8Array);
    expect(taken.url).toBe(url("/"));
    taken.handBack();
    await run.answer(asked.id, { kind: "value", value: "it is done" });
    await run.output;
    const [, after = ""] = await toldBy(run);
    expect(after).toContain("The person says: it is done.");
    expect(after).toContain("A person used the browser meanwhile.");
    expect(after).toContain("Hello Ada");
    // No key of the person is in the log.
    const kinds: unknown[] = [];
    run.events$.subscribe((event) => kinds.push(event));
    expect(JSON.stringify(kinds)).not.toContain("Adax");
    await expect(taken.act({ kind: "back" })).rejects.toMatchObject({ code: "M8631" });
  });

  test("an action of the agent waits until the browser is handed back", async () => {
    const { run } = await runAtLogin([call("observe")]);
    const asked: string[] = [];
    run.events$.subscribe(({ kind }) => asked.push(kind));
    // Before the model says what is next.
    const taken = await firstValueFrom(run.livePages$.pipe(map((live) => live.takeOver())));
    const calls = firstValueFrom(
      run.events$.pipe(
        filter(({ kind }) => kind === "tool.call"),
        skip(1),
      ),
    );
    await logIn(taken);
    await calls;
    expect(asked.filter((kind) => kind === "tool.result")).toHaveLength(1);
    taken.handBack();
    await run.output;
    const [, after = ""] = await toldBy(run);
    expect(after).toContain("Hello Ada");
    expect(after).toContain("A person used the browser meanwhile.");
  });

  test("a person is led nowhere private either, and an end of the run ends the use", async () => {
    const inner = await serveSite({ "/": "<p>secret</p>" });
    const { run, url } = await runAtLogin([call("hand_over", { why: "look" })]);
    const live = await livePageOf(run);
    await firstQuestion(run);
    const taken = await live.takeOver();
    const visited = taken.act({ kind: "visit", url: inner.url("/") });
    await expect(visited).rejects.toMatchObject({ code: "M8627" });
    await taken.act({ kind: "visit", url: url("/other") });
    expect(taken.url).toBe(url("/other"));
    await taken.act({ kind: "back" });
    expect(taken.url).toBe(url("/"));
    expect(inner.asked).toEqual([]);
    await run.abort();
    if (!taken.over.aborted)
      await new Promise((resolve) => taken.over.addEventListener("abort", resolve));
    await expect(taken.act({ kind: "text", text: "x" })).rejects.toMatchObject({ code: "M8631" });
  });
});

async function runAtLogin(calls: ReturnType<typeof call>[]) {
  const { host, url } = await serveSite({ "/": LOGIN, "/other": "<p>other</p>" });
  const { run } = startAgent({
    options: { privateHosts: [host] },
    guard: { urls: { allow: [host] } },
    says: [call("visit", { url: url("/") }), ...calls, "done"],
  });
  return { run, url };
}

/** Resolves with what is asked once the run waits for it. */
async function firstQuestion(run: Run): Promise<Interrupt> {
  await firstValueFrom(run.events$.pipe(filter(({ kind }) => kind === "interrupt.opened")));
  const [first] = run.interrupts;
  if (first === undefined) throw new Error("nothing is asked");
  return first;
}

const livePageOf = (run: Run): Promise<LivePage> => firstValueFrom(run.livePages$);

async function logIn(taken: TakenPage): Promise<void> {
  await taken.act({ kind: "click", x: 100, y: 25 });
  await taken.act({ kind: "text", text: "Adax" });
  await taken.act({ kind: "key", key: "Backspace" });
  await taken.act({ kind: "scroll", x: 10, y: 10, right: 0, down: 10 });
  await taken.act({ kind: "click", x: 100, y: 125 });
}
