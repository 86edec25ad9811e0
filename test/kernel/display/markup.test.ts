/** HTML, Markdown, drawings and pictures that cells make of texts and files. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import vm from "node:vm";
import { expect, test } from "vitest";
import { html, image, md, svg } from "../../../kernel/display/index.ts";
import { toBundle } from "../../../kernel/display/to-bundle.ts";
import { temporaryFolder } from "../../support/child.ts";

const EVIL = `<img src=x onerror=alert(1)>`;

test.each([
  ["html", html`<b>${1} ${"a & b"} ${undefined}${null}</b>`, "text/html", "<b>1 a &#38; b </b>"],
  [
    "html of strangers",
    html`<i>${EVIL}</i>`,
    "text/html",
    "<i>&#60;img src=x onerror=alert(1)&#62;</i>",
  ],
  [
    "html in html",
    html`<ul>${["a", "<"].map((one) => html`<li>${one}</li>`)}</ul>`,
    "text/html",
    "<ul><li>a</li><li>&#60;</li></ul>",
  ],
  ["another kind in html", html`<p>${md`*a*`}</p>`, "text/html", "<p>*a*</p>"],
  ["md", md`**${"a*b"}** ${3}`, "text/markdown", "**a\\*b** 3"],
  ["md of strangers", md`${EVIL}`, "text/markdown", "&#60;img src=x onerror=alert(1)>"],
  ["svg", svg`<svg><text>${"<"}</text></svg>`, "image/svg+xml", "<svg><text>&#60;</text></svg>"],
])("%s", async (_, value, mime, text) => {
  const { data } = await toBundle(value);
  expect(data).toEqual({ [mime]: text, "text/plain": text });
  expect(`${value}`).toBe(text);
});

const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

test("a picture of a file, an address, bytes, and bytes of a cell", async () => {
  const file = join(temporaryFolder(), "dot.png");
  writeFileSync(file, PNG);
  const ofCell = vm.runInNewContext("Uint8Array.from(bytes)", { bytes: [...PNG] });
  const sources = [file, pathToFileURL(file), PNG, ofCell, ofCell.buffer];
  for (const source of sources) {
    const { data, metadata } = await toBundle(image(source, { width: 30 }));
    expect(data["image/png"]).toBe(PNG.toString("base64"));
    expect(data["text/plain"]).toBe(`(image/png, ${PNG.byteLength} bytes)`);
    expect(metadata).toEqual({ "image/png": { width: 30 } });
  }
});

test.each([
  ["jpeg", Buffer.from([0xff, 0xd8, 0xff, 0xe0]), "image/jpeg"],
  ["gif", Buffer.from("GIF89a"), "image/gif"],
  ["webp", Buffer.from("RIFF\0\0\0\0WEBPVP8 "), "image/webp"],
  [
    "svg",
    Buffer.from('<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg"/>'),
    "image/svg+xml",
  ],
])("the first bytes tell that a picture is %s", (_, bytes, mime) => {
  expect(image(bytes).mime).toBe(mime);
});

test.each([
  ["a text", Buffer.from("<html><svg></svg></html>"), "no PNG, JPEG, GIF, WebP or SVG"],
  ["nothing", new Uint8Array(), "no PNG"],
  ["a file that is not there", "/nowhere/dot.png", "ENOENT"],
  ["too much", Buffer.concat([PNG, Buffer.alloc(17 * 1024 * 1024)]), "more than 16 MiB"],
])("%s is no picture: M7640", (_, source, why) => {
  expect(() => image(source)).toThrow(expect.objectContaining({ code: "M7640" }));
  expect(() => image(source)).toThrow(why);
});
