/** What is wrong with a text as XML, in one line; enough of a parser for pictures of ours. */
export function faultOf(xml: string): string | undefined {
  if (FORBIDDEN.test(xml)) return "a control character";
  if (!xml.isWellFormed()) return "half a surrogate pair";
  const open: string[] = [];
  for (const token of tokensOf(xml)) {
    if (token === undefined) return "neither text nor a tag";
    const [, slash, name = "", empty] = NAME.exec(token) ?? [];
    if (name !== "" && slash === "/" && open.pop() !== name) return `</${name}> closes another tag`;
    if (name !== "" && slash === "" && empty === "") open.push(name);
  }
  return open.length === 0 ? undefined : `<${open.at(-1)}> is not closed`;
}

/** The names of all tags and of all attributes. */
export function namesIn(xml: string): readonly string[] {
  return [...tokensOf(xml)].flatMap((token = "") =>
    token.startsWith("<") ? (token.replace(/="[^"]*"/g, "").match(/[\w:-]+/g) ?? []) : [],
  );
}

/** Tags and the texts between them; undefined where it is neither. */
function* tokensOf(xml: string): Generator<string | undefined> {
  let rest = xml;
  while (rest !== "") {
    const [token] = TAG.exec(rest) ?? TEXT.exec(rest) ?? [];
    yield token;
    if (token === undefined) return;
    rest = rest.slice(token.length);
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/;
const ENTITY = "&(?:amp|lt|gt|quot|apos|#\\d+|#x[\\da-fA-F]+);";
const ATTRIBUTE = `\\s+[\\w:-]+="(?:[^<&"]|${ENTITY})*"`;
const TAG = new RegExp(`^</?[\\w:-]+(?:${ATTRIBUTE})*\\s*/?>`);
const TEXT = new RegExp(`^(?:[^<&]|${ENTITY})+`);
const NAME = /^<(\/?)([\w:-]+)[\s\S]*?(\/?)>$/;

/** The values that an attribute has in a picture or a page, in their order. */
export function valuesOf(markup: string, attribute: string): readonly string[] {
  return [...markup.matchAll(new RegExp(` ${attribute}="([^"]*)"`, "g"))].map(
    ([, value = ""]) => value,
  );
}
