/** The page of an agent's browser is shown below the drawing of its run, as a picture that follows. */
import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { CellOutput } from "../../../kernel/cell-output.ts";
import { drawingsReady } from "../../../kernel/display/index.ts";
import { BrowserSession } from "../../../runtime/agents/browser/process/browser-session.ts";
import type { DrivenRun } from "../../../runtime/index.ts";
import { browsersEnd, call, startAgent } from "../../runtime/agents/browser/driven-browser.ts";
import { serveSite } from "../../runtime/agents/web/site.ts";
import { missing } from "../../support/python-env.ts";
import { bundleIn, follow } from "./runs.ts";

const reason = await missing("chromium");

const NOISE = `<body style="margin:0"><canvas id="c" width="1440" height="900"></canvas><script>
let seed = 1;
const context = c.getContext("2d"), image = context.createImageData(1440, 900);
for (let at = 0; at < image.data.length; at += 1) {
  seed = (seed * 16807) % 2147483647;
  image.data[at] = at % 4 === 3 ? 255 : seed % 256;
}
context.putImageData(image, 0, 0);
</script>`;

const PAGES = {
  "/red": `<title>Red</title><body style="background:red"><button>Red</button>`,
  "/blue": `<title>Blue</title><body style="background:blue"><button>Blue</button>`,
  "/noise": NOISE,
};

type Path = keyof typeof PAGES;

/** Starts an agent that visits pages, one after the other. */
async function visiting(...paths: readonly Path[]): Promise<DrivenRun> {
  const { host, url } = await serveSite(PAGES);
  const says = [...paths.map((path) => call("visit", { url: url(path) })), "done"];
  return startAgent({ options: { privateHosts: [host] }, says }).run as unknown as DrivenRun;
}

/** Follows the run to its end; `passes` has the time between two pictures pass after each call. */
async function pagesShown(run: DrivenRun, { passes = false } = {}) {
  const { outputs, tick } = follow(run);
  run.events$.subscribe(({ kind }) => {
    if (passes && kind === "tool.result") tick();
  });
  await run.output;
  await drawingsReady();
  await browsersEnd();
  const pages = outputs.filter(
    (output) => "displayId" in output && output.displayId === `run-${run.id}-page`,
  );
  return { kinds: pages.map(({ kind }) => kind), pictures: pages.map(pictureIn) };
}

function pictureIn(output: CellOutput): Buffer {
  const html = String(bundleIn(output).data["text/html"]);
  const [, base64 = ""] = /src="data:image\/jpeg;base64,([^"]+)"/.exec(html) ?? [];
  return Buffer.from(base64, "base64");
}

describe.skipIf(reason !== undefined)("the page of an agent's browser", () => {
  test("[BR] is one display: shown at once, then not before it is time, and the last page when the browser ends", async () => {
    const [blue] = (await pagesShown(await visiting("/blue"))).pictures;
    const [red] = (await pagesShown(await visiting("/red"))).pictures;
    expect(blue?.subarray(0, 3).toString("hex")).toBe("ffd8ff");
    expect(blue).not.toEqual(red);
    // No time passes, so that the second page is not shown.
    const run = await visiting("/blue", "/noise", "/red");
    const { kinds, pictures } = await pagesShown(run);
    expect(kinds).toEqual(["display", "update"]);
    expect(pictures).toEqual([blue, red]);
    const log = JSON.stringify(run.stored.records);
    expect(log).toContain("/noise");
    expect(log).not.toContain("/9j/");
  });

  test("[BR] follows each action where there is time between them", async () => {
    const run = await visiting("/blue", "/red", "/blue");
    const { kinds, pictures } = await pagesShown(run, { passes: true });
    expect(kinds).toEqual(["display", "update", "update"]);
    expect(pictures[2]).toEqual(pictures[0]);
  });

  test("[BR] is at most 100 kB, of a page of noise, too", async () => {
    const [noise] = (await pagesShown(await visiting("/noise"))).pictures;
    expect(noise?.byteLength).toBeGreaterThan(10_000);
    expect(noise?.byteLength).toBeLessThanOrEqual(100_000);
  });

  test("[BR] is not taken a picture of where no cell draws the run", async () => {
    const picture = vi.spyOn(BrowserSession.prototype, "picture");
    onTestFinished(() => picture.mockRestore());
    const run = await visiting("/blue");
    await run.output;
    await browsersEnd();
    expect(picture).not.toHaveBeenCalled();
    await pagesShown(await visiting("/blue"));
    expect(picture).toHaveBeenCalledOnce();
  });
});
