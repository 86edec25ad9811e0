/** Rewrites HTML and SVG of outputs from an allow-list, so that they show something and do nothing. */
import { Parser } from "htmlparser2";
import { escapeMarkup } from "../../display/escape.ts";
import { safeStyle } from "./safe-style.ts";
import { SVG_ATTRIBUTES, SVG_ELEMENTS } from "./svg-names.ts";

interface Rules {
  readonly isXml: boolean;
  readonly elements: ReadonlySet<string>;
  readonly attributes: ReadonlySet<string>;
  /**
   * The kept part of an unknown element: its content, or nothing. Of a link it is always the
   * content.
   */
  readonly unknown: "content" | "nothing";
}

/** Tables, lists and formatted text. Scripts, styles, forms, links and pictures from elsewhere are gone; of unknown elements the text stays. */
export function sanitiseHtml(html: string): string {
  return rewritten(html, HTML_RULES, (name, value) => htmlAttribute(name, value));
}

/** A drawing that can stand in a page beside others: ids get `prefix`. Undefined when it is no SVG. */
export function sanitiseSvg(svg: string, prefix: string): string | undefined {
  const clean = rewritten(svg, SVG_RULES, (name, value) => svgAttribute(name, value, prefix));
  const start = clean.indexOf("<svg");
  return start < 0 ? undefined : clean.slice(start);
}

function rewritten(
  markup: string,
  rules: Rules,
  attribute: (name: string, value: string) => string | undefined,
): string {
  const parts: string[] = [];
  /** Depth inside of an element that is left out with all that is in it. */
  let skipped = 0;
  const leavesOut = (name: string) =>
    !rules.elements.has(name) &&
    name !== "a" &&
    (rules.unknown === "nothing" || WHOLLY_DROPPED.has(name));
  const parser = new Parser(
    {
      onopentag(name, given) {
        const isForeign = name === "img" && !isOwnPicture(given.src);
        if (skipped > 0 || isForeign || leavesOut(name)) skipped += 1;
        else if (rules.elements.has(name)) {
          const kept = Object.entries(given)
            .filter(([key]) => isAllowed(key, rules))
            .flatMap(([key, value]) => {
              const safe = attribute(key, value);
              return safe === undefined ? [] : [` ${key}="${escapeMarkup(safe)}"`];
            });
          parts.push(`<${name}${kept.join("")}>`);
        }
      },
      ontext(text) {
        if (skipped === 0) parts.push(escapeMarkup(text));
      },
      onclosetag(name) {
        if (skipped > 0) skipped -= 1;
        else if (rules.elements.has(name) && !VOID.has(name)) parts.push(`</${name}>`);
      },
    },
    { xmlMode: rules.isXml, decodeEntities: true },
  );
  parser.end(markup);
  return parts.join("");
}

function isAllowed(name: string, { attributes }: Rules): boolean {
  return attributes.has(name) || /^(?:data|aria)-[a-z-]+$/.test(name);
}

/** One that stands in the text itself; scripts in it do not run, since it is shown as an image. */
function isOwnPicture(source: string | undefined): boolean {
  return /^data:image\/(?:svg\+xml|png|jpeg);base64,[\w+/=]+$/.test(source ?? "");
}

const VOID = new Set(["br", "hr", "img"]);

/** Their text is no text for people. */
const WHOLLY_DROPPED = new Set(
  "script style template noscript iframe object embed applet textarea select title head svg math xmp noembed noframes plaintext audio video canvas".split(
    " ",
  ),
);

const HTML_RULES: Rules = {
  isXml: false,
  unknown: "content",
  elements: new Set(
    `table thead tbody tfoot tr th td caption div span pre code p strong b em i u s sub sup small mark del ins
    ul ol li dl dt dd h1 h2 h3 h4 h5 h6 br hr details summary blockquote kbd samp var abbr q cite img`.split(
      /\s+/,
    ),
  ),
  attributes: new Set([
    "style",
    "class",
    "title",
    "colspan",
    "cellpadding",
    "rowspan",
    "scope",
    "open",
    "start",
    "dir",
    "lang",
    // Attributes of pictures in the text.
    "src",
    "alt",
  ]),
};

const SVG_RULES: Rules = {
  isXml: true,
  unknown: "nothing",
  elements: SVG_ELEMENTS,
  attributes: SVG_ATTRIBUTES,
};

function htmlAttribute(name: string, value: string): string | undefined {
  if (name === "style") return safeStyle(value) || undefined;
  if (name === "class") return foreignClass(value);
  return value;
}

function svgAttribute(name: string, value: string, prefix: string): string | undefined {
  switch (name) {
    case "id":
      return prefix + value;
    case "href":
    case "xlink:href":
      return /^#[\w.:-]+$/.test(value) ? `#${prefix}${value.slice(1)}` : undefined;
    case "aria-labelledby":
    case "aria-describedby":
      return value.replaceAll(/[^\s]+/g, (id) => prefix + id);
    case "style":
      return safeStyle(value) || undefined;
    case "class":
      return foreignClass(value);
    case "xmlns":
      return "http://www.w3.org/2000/svg";
    default:
      return withLocalUrls(value, prefix);
  }
}

/** `url(…)` may name only something in the same drawing. */
function withLocalUrls(value: string, prefix: string): string | undefined {
  if (!/url/i.test(value)) return value;
  const [, id] = /^\s*url\(\s*["']?#([\w.:-]+)["']?\s*\)\s*$/.exec(value) ?? [];
  return id === undefined ? undefined : `url(#${prefix}${id})`;
}

/** Classes are kept for those who count marks; ours, which have styles, are not to be taken. */
function foreignClass(value: string): string | undefined {
  const names = value.split(/\s+/).filter((name) => /^[\w-]+$/.test(name) && !/^nb-/.test(name));
  return names.length === 0 ? undefined : names.join(" ");
}
