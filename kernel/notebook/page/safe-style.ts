/** Keeps the declarations of a `style` attribute that only change how text or a shape looks. */

export function safeStyle(style: string): string {
  return style
    .split(";")
    .map((declaration) => declaration.trim())
    .filter(isSafe)
    .join(";");
}

// Not `position`, `z-index`, `transform` and the like: an output stays in its place on the page.
const PROPERTY =
  /^(?:color|opacity|background-color|background|font(?:-(?:family|size|style|weight|variant|variant-numeric))?|text-(?:align|decoration|anchor|indent|transform)|vertical-align|white-space|overflow-wrap|word-break|line-height|letter-spacing|padding(?:-(?:top|right|bottom|left))?|border(?:-(?:top|right|bottom|left|color|width|style|collapse|spacing|radius))*|(?:max-|min-)?width|max-height|fill(?:-opacity|-rule)?|stroke(?:-[a-z]+)?|dominant-baseline|list-style-type|tab-size|mix-blend-mode|display|margin(?:-(?:top|right|bottom|left))?)$/;

// No `url(`, no escapes, no comments, no negative lengths, which would lay one output over another.
const VALUE = /^(?:[\w#%.,! "'+]|(?<=\w)-|(?:rgba?|hsla?|var)\(|\))+$/;

function isSafe(declaration: string): boolean {
  const [, property = "", value = ""] = /^([a-z-]+)\s*:\s*(.+)$/.exec(declaration) ?? [];
  return PROPERTY.test(property) && VALUE.test(value) && !/url|expression/i.test(value);
}
