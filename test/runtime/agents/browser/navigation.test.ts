/** A page that leads elsewhere at the wrong moment is read, and another is visited, all the same. */
import { describe, expect, test } from "vitest";
import { missing } from "../../../support/python-env.ts";
import { type SitePage, serveSite } from "../web/site.ts";
import { ownBrowser, refOf } from "./driven-browser.ts";

const reason = await missing("chromium");

describe.skipIf(reason !== undefined)("a page that leads elsewhere", () => {
  test("is read where it leads, although it leaves while it is read", async () => {
    // The number of elements is the first that is asked of a page.
    const leaving = `<script>document.getElementsByTagName = () => ({
      get length() { location = "/next"; return new Promise(() => {}); },
    })</script>`;
    const { host, url } = await serveSite({ "/": leaving, "/next": "<p>arrived</p>" });
    const { use } = ownBrowser({ privateHosts: [host] });
    expect(await use("visit", { url: url("/") })).toContain("arrived");
  });

  test("does not keep a visit from its address", async () => {
    let lead = () => {};
    const told: SitePage = (_, response) => {
      lead = () => response.end("now");
    };
    let visits = 0;
    const target: SitePage = (_, response) => {
      visits += 1;
      if (visits === 1) lead();
      else response.writeHead(200, { "content-type": "text/html" }).end("<p>target</p>");
    };
    const { host, url } = await serveSite({
      "/": `<button onclick="fetch('/told').then(() => { location = '/other' })">Go</button>`,
      "/told": told,
      "/target": target,
      "/other": "<p>other</p>",
    });
    const { use } = ownBrowser({ privateHosts: [host] });
    const shown = await use("visit", { url: url("/") });
    await use("click", { ref: refOf("Go", shown) });
    expect(await use("visit", { url: url("/target") })).toMatch(/paragraph .*: target/);
    expect(visits).toBe(2);
  });
});
