/** HTML and SVG of others in our page: what looks stays, what acts is gone. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { sanitiseHtml, sanitiseSvg } from "../../../kernel/notebook/page/sanitise.ts";

test("tables and their looks stay", () => {
  const table =
    '<table class="madrigal-table" style="border-collapse:collapse"><thead><tr><th style="text-align:right;border-bottom:2px solid rgba(128,128,128,.6)">n</th></tr></thead><tbody><tr><td colspan="2" title="7">1 &#60; 2</td></tr></tbody></table>';
  expect(sanitiseHtml(table)).toBe(table);
});

test.each([
  ["<script>alert(1)</script>x", "x"],
  ["<p onclick='x()' style='position:fixed;color:red'>a</p>", '<p style="color:red">a</p>'],
  ["<a href='javascript:x()'>a</a> <a href='https://e.x'>b</a>", "a b"],
  ["<img src=x onerror=y>", ""],
  [
    '<img alt="a" onerror=y src="data:image/svg+xml;base64,PHN2Zy8+">',
    '<img alt="a" src="data:image/svg+xml;base64,PHN2Zy8+">',
  ],
  ['<img src="data:text/html;base64,PHN2Zy8+">a', "a"],
  ["<iframe srcdoc='<b>x'></iframe><b>y</b>", "<b>y</b>"],
  ["<style>*{display:none}</style>a", "a"],
  ["<svg><style><img src=x onerror=y></style></svg>a", "a"],
  ["<math><mi//xlink:href='data:x,<script>'>a</math>b", "b"],
  ["<p style='background:url(https://e.x)'>a</p>", "<p>a</p>"],
  ["<p style='margin-top:-500px'>a</p>", "<p>a</p>"],
  ["<div class='nb-error mine'>a</div>", '<div class="mine">a</div>'],
  ["</div></main><b>a", "<b>a</b>"],
  ["<form action=x><input value=a><button>b</button></form>", "b"],
  ["<b <i>a</i>", "<b>a</b>"],
  ["\u001b[31ma\u202e", "␛[31ma⟨U+202E⟩"],
])("HTML %s", (html, expected) => {
  expect(sanitiseHtml(html)).toBe(expected);
});

const svg = (inner: string) => `<svg xmlns="http://www.w3.org/2000/svg" width="9">${inner}</svg>`;

test.each([
  ["<script>x()</script><rect width='1' onload='x()'/>", '<rect width="1"></rect>'],
  ["<foreignObject><body>x</body></foreignObject>", ""],
  ["<image href='https://e.x/a.png'/><use href='https://e.x#a'/>", "<use></use>"],
  ["<a href='https://e.x'><text>t</text></a>", "<text>t</text>"],
  ["<rect fill='url(https://e.x#a)' stroke='url(#s)'/>", '<rect stroke="url(#p-s)"></rect>'],
  [
    "<g id='s' data-node='search'><use xlink:href='#s'/></g>",
    '<g id="p-s" data-node="search"><use xlink:href="#p-s"></use></g>',
  ],
  ["<animate attributeName='href' to='javascript:x()'/><set/>", ""],
  ["<style>text{fill:red}</style><text>a &lt; b</text>", "<text>a &#60; b</text>"],
  ["<![CDATA[<script>x()</script>]]>", "&#60;script&#62;x()&#60;/script&#62;"],
])("SVG %s", (inner, expected) => {
  expect(sanitiseSvg(svg(inner), "p-")).toBe(svg(expected));
});

test("a text that is no SVG is none", () => {
  expect(sanitiseSvg("<p>x</p>", "p-")).toBeUndefined();
  expect(
    sanitiseSvg("<?xml version='1.0'?><!DOCTYPE svg [<!ENTITY x 'y'>]>", "p-"),
  ).toBeUndefined();
});

const hostile = fc
  .array(
    fc.constantFrom(
      ..."<|>|/|\"|'|=| |script|svg|style|on|load|href|javascript:|https://e.x|a|p|td|&lt;|&#60;|<!--|-->|<![CDATA[|]]>|url(|\u0000".split(
        "|",
      ),
    ),
    { maxLength: 30 },
  )
  .map((parts) => parts.join(""));

test("whatever is given, nothing acts and nothing is loaded", () => {
  // Every tag that comes out is one of the list, with attributes of the list only.
  const tags = /<\/?([a-z]\w*)((?: [a-z:-]+="[^"<>]*")*)>/gi;
  fc.assert(
    fc.property(hostile, (text) => {
      for (const clean of [sanitiseHtml(text), sanitiseSvg(svg(text), "p-") ?? ""]) {
        const names = [...clean.matchAll(tags)].map(([, name = ""]) => name.toLowerCase());
        expect(names.filter((name) => ["script", "style", "a", "image"].includes(name))).toEqual(
          [],
        );
        expect(clean.replaceAll(tags, "")).not.toMatch(/[<>]/);
        expect(clean).not.toMatch(/<[^>]*\s(?:on\w+|src|href="[^#])/i);
      }
    }),
    { numRuns: 500 },
  );
});
