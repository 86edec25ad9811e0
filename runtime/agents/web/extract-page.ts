/** Runs as a thread: makes readable Markdown of a page of HTML, which may be of any size and depth, and sends it. */
import { parentPort, workerData } from "node:worker_threads";
import { Readability } from "@mozilla/readability";
import { Parser } from "htmlparser2";
import { parseHTML } from "linkedom";
import TurndownService from "turndown";
import type { ExtractedPage, PageToExtract } from "./read-page.ts";

const { html, url, isWhole = false }: PageToExtract = workerData;

/** The members of the nodes of a page that are used here; this project has no types of a browser. */
interface PageNode {
  readonly nodeName: string;
  readonly childNodes: Iterable<PageNode>;
  readonly textContent: string | null;
  getAttribute?(name: string): string | null;
}

const DEPTH_MAX = 1000;

/** The parts of a page that show nothing, or that only a browser shows. */
const UNREAD =
  "body title, script, style, noscript, template, svg, canvas, iframe, object, embed, link, meta";

/** Inline styles, without spaces, of what nobody sees. */
const UNSEEN_STYLE =
  /display:none|visibility:(?:hidden|collapse)|opacity:0(?:\.0+)?(?:;|$)|font-size:0(?:px|pt|em|rem|%)?(?:;|$)|(?:left|top|text-indent):-\d{3,}/;

assertShallow(html);
const { document } = parseHTML(
  /<html[\s>]/i.test(html) ? html : `<html><body>${html}</body></html>`,
);
const title = document.querySelector("title")?.textContent?.trim() ?? "";
for (const element of document.querySelectorAll(UNREAD)) element.remove();
for (const element of document.querySelectorAll("[hidden], [aria-hidden='true']")) element.remove();
for (const element of document.querySelectorAll("[style]")) if (isUnseen(element)) element.remove();
makeLinksAbsolute();
const whole = document.body?.cloneNode(true);
const article = isWhole ? null : new Readability(document, { charThreshold: 200 }).parse();
parentPort?.postMessage({
  title: article?.title?.trim() || title,
  text: toMarkdown(article?.content ? bodyOf(article.content) : whole),
} satisfies ExtractedPage);

/** Throws where elements are nested deeper than anybody writes: what follows takes time by the square of the depth. */
function assertShallow(text: string): void {
  let depth = 0;
  const parser = new Parser({
    onopentagname: () => {
      depth += 1;
      if (depth > DEPTH_MAX) throw new Error(`its elements are nested ${DEPTH_MAX} deep and more`);
    },
    onclosetag: () => {
      depth -= 1;
    },
  });
  parser.end(text);
}

/** Returns whether the element's own style hides it. What a style sheet hides is not known here. */
function isUnseen(element: PageNode): boolean {
  const style = element.getAttribute?.("style") ?? "";
  return UNSEEN_STYLE.test(style.replace(/\s/g, "").toLowerCase());
}

function bodyOf(content: string): PageNode {
  return parseHTML(`<html><body>${content}</body></html>`).document.body;
}

function toMarkdown(root: PageNode | undefined): string {
  if (root === undefined) return "";
  const turndown = new TurndownService({
    headingStyle: "atx",
    codeBlockStyle: "fenced",
    bulletListMarker: "-",
  });
  turndown.addRule("row", {
    filter: "tr",
    replacement: (_: string, row: PageNode) => `${cellsOf(row).join(" | ")}\n`,
  });
  turndown.addRule("picture", {
    filter: "img",
    replacement: (_: string, image: PageNode) => altOf(image),
  });
  return turndown
    .turndown(root as never)
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}

function cellsOf(row: PageNode): string[] {
  return [...row.childNodes]
    .filter(({ nodeName }) => nodeName === "TD" || nodeName === "TH")
    .map(({ textContent }) => (textContent ?? "").replace(/\s+/g, " ").trim());
}

/** A picture's address is left out: a page could make whoever shows the text send something there. */
function altOf(image: PageNode): string {
  const alt = image.getAttribute?.("alt")?.trim() ?? "";
  return alt === "" ? "" : `[picture: ${alt}]`;
}

function makeLinksAbsolute(): void {
  for (const link of document.querySelectorAll("a[href]")) {
    const href = link.getAttribute("href") ?? "";
    const isWeb = URL.canParse(href, url) && /^https?:$/.test(new URL(href, url).protocol);
    if (isWeb) link.setAttribute("href", new URL(href, url).href);
    else link.removeAttribute("href");
  }
}
