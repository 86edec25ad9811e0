/** The grammar as a page of diagrams, which needs nothing from outside of it. */
import { railroad } from "./railroad.ts";
import { grammarSections } from "./sections.ts";

/** What `dsl/manual/grammar.html` holds. */
export function diagramsPage(): string {
  const sections = grammarSections();
  return [
    "<!doctype html>",
    '<html lang="en">',
    "<head>",
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width">',
    "<title>The grammar of Madrigal</title>",
    `<style>\n${style}\n</style>`,
    "</head>",
    "<body>",
    "<h1>The grammar of Madrigal</h1>",
    "<p>Follow the line from left to right. Round boxes are written as they stand, square ones are tokens,",
    "and those in colour are rules of their own. Made by <code>npm run grammar</code>.</p>",
    ...sections.flatMap(({ title, rules }) => [
      `<h2>${title}</h2>`,
      ...rules.map((rule) => {
        const { name } = rule;
        return `<section id="${name}"><h3>${name}</h3><div>${railroad(rule)}</div></section>`;
      }),
    ]),
    "</body>",
    "</html>",
    "",
  ].join("\n");
}

const style = `:root { color-scheme: light dark; --rule: #0b6bcb; --fill: #f2f4f7; }
@media (prefers-color-scheme: dark) { :root { --rule: #6cb2ff; --fill: #23272e; } }
body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 75rem; padding: 0 1rem; }
h3 { font: 600 15px ui-monospace, monospace; margin: 1.2rem 0 0.3rem; }
section:target h3 { color: var(--rule); }
div { overflow-x: auto; }
svg { fill: none; stroke: currentColor; stroke-width: 1.5; display: block; }
svg text { fill: currentColor; stroke: none; font: 13px ui-monospace, monospace; text-anchor: middle; }
svg rect { fill: var(--fill); }
svg circle { fill: currentColor; stroke: none; }
svg a rect { stroke: var(--rule); }
svg a text { fill: var(--rule); }`;
