/** A browser keeps to its settings: the engine that is searched, the size of its pages, and which calls a person is asked about. */
import { describe, expect, test } from "vitest";
import { missing } from "../../../support/python-env.ts";
import { serveSite } from "../web/site.ts";
import { browsersEnd, call, ownBrowser, startAgent } from "./driven-browser.ts";

const reason = await missing("chromium");

const SIZE = "<p id=p></p><script>p.textContent = `${innerWidth} by ${innerHeight}`</script>";

describe.skipIf(reason !== undefined)("the settings of a browser", () => {
  test("M33 [BR] `search` visits the page of the engine that is set, with the words", async () => {
    const { host, url, asked } = await serveSite({ "/find": "<a href=/lute>A lute</a>" });
    const { use } = ownBrowser({ privateHosts: [host], searchPage: url("/find?words=%s") });
    const shown = await use("search", { query: "lutes & strings" });
    expect(asked).toEqual(["/find?words=lutes%20%26%20strings"]);
    expect(shown).toContain('link "A lute"');
  });

  test.each([
    [undefined, "1440 by 900"],
    [{ width: 800, height: 600 }, "800 by 600"],
  ])(
    "M33 [BR] the pages of a browser with the viewport %o are %s pixels",
    async (viewport, size) => {
      const { host, url } = await serveSite({ "/": SIZE });
      const { use } = ownBrowser({
        privateHosts: [host],
        ...(viewport === undefined ? {} : { viewport }),
      });
      expect(await use("visit", { url: url("/") })).toContain(size);
    },
  );

  test("M25 [BR] by their baselines, a person is asked before each call that changes something, and before no other", async () => {
    const { host, url } = await serveSite({
      "/": "<title>Home</title><button>Go</button><input><select><option>a</select>",
    });
    const never = [
      call("search", { query: "lutes" }),
      call("observe"),
      call("read"),
      call("refresh"),
      call("scroll", { down: 100 }),
      call("hover", { ref: "e2" }),
      call("wait", { seconds: 0 }),
      call("tabs"),
      call("switch_tab", { tab: 1 }),
    ];
    const maybe = [
      call("visit", { url: url("/") }),
      call("back"),
      call("click", { ref: "e2" }),
      call("type", { ref: "e3", text: "Ada" }),
      call("keys", { keys: "Tab" }),
      call("select", { ref: "e4", values: ["a"] }),
      call("open_tab"),
    ];
    const always = [call("close_tab", { tab: 1 }), call("upload", { ref: "e3", files: ["a.txt"] })];
    const { run } = startAgent({
      options: { privateHosts: [host], search: { name: "own", search: async () => [] } },
      guard: { approve: "conservative" },
      says: [...never, ...maybe, ...always, "done"],
    });
    const asked: (string | undefined)[] = [];
    for (;;) {
      await run.settled();
      const [question] = run.interrupts;
      if (question === undefined) break;
      asked.push(question.tool);
      await run.answer(question.id, { kind: "deny" });
    }
    expect(await run.output).toEqual({ answer: "done" });
    expect(asked).toEqual([...maybe, ...always].map(({ tool }) => tool));
    await browsersEnd();
  });
});
