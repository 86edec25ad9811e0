/** Texts that would do something where they are not taken for text. */
import fc from "fast-check";
import MarkdownIt from "markdown-it";
import { expect } from "vitest";
import type { Bundle } from "../../../kernel/cell-output.ts";
import { faultOf, namesIn } from "./well-formed.ts";

export const HOSTILE = [
  "<script>alert(1)</script>",
  "</title></style></script><img src=x onerror=alert(1)>",
  "]]><!--",
  '" onload="alert(1)',
  "' onclick='alert(1)",
  "`${alert(1)}`",
  "[x](javascript:alert(1))",
  "![x](http://127.0.0.1/p.png)",
  "<javascript:alert(1)>",
  "[a]: javascript:alert(1)\n\n[a]",
  "\u001b[31mred\u001b[0m\u001b]8;;http://127.0.0.1\u0007link\u001b]8;;\u0007",
  "\u0000\u0008\u009b31m",
  "abc\u202eexe.txt\u2066\u200b\ufeff",
  "$\\href{javascript:alert(1)}{x}$ costs $3",
  "| a | b |\n|---|---|",
  "\ud800 half",
  "&lt;b&gt; &amp;",
  "\u2028\u2029\uffff",
  "[click\\](http://evil.example)",
  "![x\\](http://evil.example/pixel.png)",
  "[x](http&#58;//evil.example) http&#58;//evil.example [x]&#40;http://evil.example)",
  "<http&#58;//evil.example> http://localhost/x www.evil.com evil.com a@evil.com",
  "\\$x\\$ \\\\$y\\\\$ \\(\\href{http://evil.example}{x}\\) \\\\[z\\\\] \\begin{equation}x\\end{equation}",
  "`\\\\(` a `` ` \\\\)[x](http://evil.example)`` $`$[x](http://evil.example)`$",
  "```\n~~~\n[x](http://evil.example)\n````\n<img src=x>\n~~~\n[x](http://evil.example)",
  "&#32;~~~~x~~~~\n\n```\n~~~~\n[x](http://evil.example)\n```",
  "| `a|[x](http://evil.example)|` | $|$ | b\\\\|c |\n|---|---|---|\n| \\[x](http://evil.example) |",
  "[a]\n\n[a\\]: http://evil.example\n[^1]: http://evil.example",
  "&#8238;txt&#x200b;&#27;[31m &lt;img src=x onerror=alert(1)&gt;",
  "> ```\n> $\n> ```\n> `$`\n> ```\n> [x](http://evil.example)\n> ```",
] as const;

export const hostileText = fc.oneof(
  fc.constantFrom(...HOSTILE),
  fc.string({ unit: "binary", maxLength: 40 }),
  fc
    .tuple(fc.constantFrom(...HOSTILE), fc.string({ maxLength: 10 }))
    .map((parts) => parts.join("")),
);

const TAGS = /<\/?([a-zA-Z][\w-]*)/g;

/** Tags and attributes that pages of ours have; nothing else may come out, whatever goes in. */
const OWN_TAGS = new Set(
  "details summary table thead tbody tr th td div span h1 h2 h3 h4 h5 h6 pre code p ul ol li em strong s hr br blockquote".split(
    " ",
  ),
);

/** Nothing in the bundle acts: no foreign tag, no link, no script, no control character. */
export function expectHarmless({ data }: Bundle): void {
  const html = data["text/html"];
  if (html !== undefined) expectHarmlessHtml(String(html));
  const svg = data["image/svg+xml"];
  if (svg !== undefined) {
    expect(faultOf(String(svg))).toBeUndefined();
    const acting = namesIn(String(svg)).filter((name) =>
      /^(?:script|foreignObject|image|a|on\w+|.*href)$/i.test(name),
    );
    expect(acting).toEqual([]);
  }
  const markdown = data["text/markdown"];
  if (markdown !== undefined) expectHarmlessMarkdown(String(markdown));
  for (const text of [data["text/plain"], markdown, html, svg]) {
    if (text !== undefined) expect(String(text)).not.toMatch(ACTING);
  }
}

const ACTING =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\u200b\ufeff\u2028\u2029]/;

// A front end that shows all it can.
const eager = new MarkdownIt({ html: true, linkify: true });

function expectHarmlessMarkdown(markdown: string): void {
  for (const shown of [markdown, withoutFormulas(markdown)]) {
    const html = eager.render(shown);
    expectHarmlessHtml(html);
    // MathJax reads what is shown, and leaves code alone.
    const text = html.replace(/<pre>.*?<\/pre>|<code>.*?<\/code>/gs, "");
    expect(text).not.toMatch(/[$\\]/);
  }
}

/** What JupyterLab gives to its Markdown parser: it cuts formulas out first, wherever they seem to stand in a block. */
function withoutFormulas(markdown: string): string {
  return markdown
    .split(/(\n\s*\n)/)
    .map((block) => block.replace(/\\\\\(.*?\\\\\)|\\\\\[.*?\\\\\]|\$.*?\$/gs, "@@0@@"))
    .join("");
}

function expectHarmlessHtml(html: string): void {
  for (const [, tag = ""] of html.matchAll(TAGS)) expect(OWN_TAGS).toContain(tag);
  for (const [tag] of html.matchAll(/<[a-zA-Z][^>]*>/g)) {
    expect(tag).toMatch(
      /^<\w+(?: open)?(?: (?:class|style|title|start|cellpadding)="[^"<>]*")*\s*\/?>$/,
    );
  }
}
