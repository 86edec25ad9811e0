/** Turns the slides of a presentation into Markdown: titles, lists, tables, descriptions of pictures, and notes. */
import { posix } from "node:path";
import { strFromU8, type Unzipped, unzipSync } from "fflate";
import { Parser } from "htmlparser2";

const PARTS =
  /^ppt\/(?:presentation\.xml|_rels\/presentation\.xml\.rels|(?:slides|notesSlides)\/(?:_rels\/)?[^/]+)$/;

/** Placeholders that say nothing of the slide: its number, a date, what stands on every slide, its picture beside notes. */
const PASSED_PLACEHOLDERS = new Set(["sldNum", "dt", "ftr", "hdr", "sldImg"]);

/** Returns the slides in the order in which they are shown. Throws for an archive that is damaged. */
export function slidesToMarkdown(bytes: Uint8Array): string {
  const parts = unzipSync(bytes, { filter: ({ name }) => PARTS.test(name) });
  return slidePaths(parts)
    .map((path, at) => slideMarkdown(parts, path, at + 1))
    .join("\n\n");
}

function slideMarkdown(parts: Unzipped, path: string, number: number): string {
  const { title, blocks, isHidden } = readSlide(xmlOfPart(parts, path));
  const head = `## Slide ${number}${isHidden ? " (hidden)" : ""}${title === "" ? "" : `: ${title}`}`;
  const notes = relationsOf(parts, path).find(({ type }) => type.endsWith("/notesSlide"));
  const speakerNotes = notes === undefined ? [] : readSlide(xmlOfPart(parts, notes.path)).blocks;
  const shown = [
    head,
    ...blocks,
    ...(speakerNotes.length === 0 ? [] : ["### Notes", ...speakerNotes]),
  ];
  // The items of a list follow each other without an empty line.
  return shown.reduce((all, block) => {
    const isItem = /^ *- /.test(block) && /(?:^|\n) *- [^\n]*$/.test(all);
    return `${all}${isItem ? "\n" : "\n\n"}${block}`;
  });
}

/** A slide by its parts. */
interface SlideContent {
  readonly title: string;
  readonly blocks: readonly string[];
  readonly isHidden: boolean;
}

function readSlide(xml: string): SlideContent {
  const titles: string[] = [];
  const blocks: string[] = [];
  let isHidden = false;
  /** The type of the placeholder that the shape is: of one without a type `body`, of none undefined. */
  let placeholder: string | undefined;
  let isInPicture = false;
  let fallbacks = 0;
  let isText = false;
  let paragraph = "";
  let level = 0;
  let rows: string[][] | undefined;
  readXml(xml, {
    open(name, attributes) {
      if (name === "Fallback") fallbacks += 1;
      if (fallbacks > 0) return;
      if (name === "sld") isHidden = /^(?:0|false)$/.test(attributes.show ?? "");
      if (name === "sp" || name === "graphicFrame") placeholder = undefined;
      if (name === "pic") isInPicture = true;
      if (name === "cNvPr" && isInPicture && attributes.descr)
        blocks.push(`[picture: ${oneLine(attributes.descr)}]`);
      if (name === "ph") placeholder = attributes.type ?? "body";
      if (name === "p") [paragraph, level] = ["", 0];
      if (name === "pPr") level = Math.min(8, Number(attributes.lvl ?? 0) || 0);
      if (name === "br") paragraph += " ";
      if (name === "tbl") rows = [];
      if (name === "tr") rows?.push([]);
      if (name === "tc") rows?.at(-1)?.push("");
      isText = name === "t";
    },
    text(part) {
      if (isText && fallbacks === 0) paragraph += part;
    },
    close(name) {
      isText = false;
      if (name === "Fallback") fallbacks -= 1;
      if (fallbacks > 0) return;
      if (name === "pic") isInPicture = false;
      if (name === "tbl") {
        if (rows !== undefined && rows.length > 0) blocks.push(tableMarkdown(rows));
        rows = undefined;
      }
      if (name !== "p") return;
      const line = oneLine(paragraph);
      const row = rows?.at(-1);
      if (row !== undefined) row.push(`${row.pop() ?? ""} ${line}`.trim());
      else if (line === "" || PASSED_PLACEHOLDERS.has(placeholder ?? "")) return;
      else if (/^(?:title|ctrTitle)$/.test(placeholder ?? "")) titles.push(line);
      else if (/^(?:body|obj)$/.test(placeholder ?? ""))
        blocks.push(`${"  ".repeat(level)}- ${line}`);
      else blocks.push(line);
    },
  });
  return { title: titles.join(" "), blocks, isHidden };
}

function tableMarkdown([head = [], ...rows]: readonly (readonly string[])[]): string {
  return [head, head.map(() => "---"), ...rows].map(tableRow).join("\n");
}

function tableRow(cells: readonly string[]): string {
  return `| ${cells.map((cell) => oneLine(cell).replaceAll("|", "\\|")).join(" | ")} |`;
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

/** A relation of one part of the archive to another. */
interface PartRelation {
  readonly id: string;
  readonly type: string;
  readonly path: string;
}

function relationsOf(parts: Unzipped, path: string): readonly PartRelation[] {
  const folder = posix.dirname(path);
  const found: PartRelation[] = [];
  const name = `${folder}/_rels/${posix.basename(path)}.rels`;
  if (parts[name] === undefined) return found;
  readXml(xmlOfPart(parts, name), {
    open(element, { Id: id = "", Type: type = "", Target: target = "", TargetMode: mode }) {
      if (element !== "Relationship" || mode === "External") return;
      found.push({ id, type, path: posix.resolve("/", folder, target).slice(1) });
    },
  });
  return found;
}

function slidePaths(parts: Unzipped): readonly string[] {
  const whole = "ppt/presentation.xml";
  const byId = new Map(relationsOf(parts, whole).map(({ id, path }) => [id, path]));
  const paths: string[] = [];
  readXml(xmlOfPart(parts, whole), {
    open(element, attributes) {
      const id = Object.entries(attributes).find(([name]) => name.endsWith(":id"))?.[1];
      const path = element === "sldId" ? byId.get(id ?? "") : undefined;
      if (path !== undefined) paths.push(path);
    },
  });
  return paths;
}

function xmlOfPart(parts: Unzipped, path: string): string {
  const bytes = parts[path];
  if (bytes === undefined) throw new Error(`it has no ${path}`);
  const text = strFromU8(bytes);
  // A part of the archive that is larger than its header says is cut off at that size.
  if (!/(?:<\/[\w.:-]+|\/)>$/.test(text.trimEnd().slice(-200)))
    throw new Error(`its ${path} has no end`);
  return text;
}

/** Reads XML; elements come without their prefixes, and no entity is fetched or expanded but those of XML itself. */
function readXml(
  xml: string,
  on: {
    readonly open: (name: string, attributes: Readonly<Record<string, string>>) => void;
    readonly text?: (part: string) => void;
    readonly close?: (name: string) => void;
  },
): void {
  const local = (name: string) => name.slice(name.indexOf(":") + 1);
  const parser = new Parser(
    {
      onopentag: (name, attributes) => on.open(local(name), attributes),
      ontext: (part) => on.text?.(part),
      onclosetag: (name) => on.close?.(local(name)),
    },
    { xmlMode: true },
  );
  parser.end(xml);
}
