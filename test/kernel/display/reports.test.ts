import fc from "fast-check";
import { expect, test } from "vitest";
import { reportMarkdown } from "../../../kernel/display/run/report-markdown.ts";
import { expectHarmless } from "./hostile.ts";

test("a report keeps its headings, lists, quotes, tables and code", async () => {
  const report = [
    "Found *it*\n===",
    "It costs $3, see [here](http://evil.example):\nfirst  \nsecond",
    "- one `a || b`\n- two\n  1. **in**\n     ```mermaid\n     graph\n     ```",
    "> said\n> - so",
    "| a | b\\|c |\n|---|---|\n| C:\\dir | 1.5 |",
    '~~~json\n{"a": "```"}\n~~~',
  ].join("\n\n");
  expect(await reportMarkdown(report)).toMatchInlineSnapshot(`
    "# Found *it*

    It costs \`$3\`, see &#91;here](http\\:/\\/evil\\.example):
    first  
    second

    - one \`a || b\`
    - two
      1. **in**

         \`\`\`
         graph
         \`\`\`

    > said

    > - so

    | a | b\\|c |
    | --- | --- |
    | \`C:\\dir\` | 1.5 |

    \`\`\`\`json
    {"a": "\`\`\`"}
    \`\`\`\`"
  `);
});

const PIECES = [
  ..."`\\$|#*_!<&>~-= \t\n",
  ...[
    "``",
    "```",
    "~~~~",
    "\n\n",
    "> ",
    "- ",
    "1. ",
    "    ",
    "**",
    "---",
    "===",
    "x",
    "\\\\(",
    "\\\\)",
  ],
  ...["&#32;", "&#10;", "&#96;", "&#91;", "&lt;a href=x&gt;", "|---|", "| a |"],
  ...["[x](http://evil.com)", "[x\\](http://evil.com)", "[a]: http://evil.com", "<img src=x>"],
  ...["www.evil.com", "a@evil.com", "http://evil.com"],
];

test("no order of pieces of Markdown acts", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom(...PIECES), { maxLength: 25 }), async (pieces) => {
      const markdown = await reportMarkdown(pieces.join(""));
      expectHarmless({ data: { "text/markdown": markdown }, metadata: {} });
    }),
    { numRuns: 300 },
  );
});
