/** Makes the tools over the documents of installed packages: search, read, and verify a quote. */
import { type Tool, tool } from "../scope/tools.ts";
import { termsOf, tokensOf } from "../words/words.ts";
import { documentsIn } from "./docs-files.ts";
import type { DocsIndex, DocsIndexSize } from "./docs-index.ts";
import { type DocsReading, readDocument, readLiteral } from "./docs-read.ts";

/** One hit of `docs.search`. */
export interface DocumentHit {
  readonly package: string;
  /** Relative to the root, with `/`; what `docs.read` takes. */
  readonly file: string;
  readonly heading: string;
  /** Higher is better; only comparable within one answer. */
  readonly score: number;
  /** Literal lines of the section. */
  readonly snippet: string;
}

/** The scope's `docs`. */
export interface DocsTools {
  readonly search: Tool<(input: SearchInput) => Promise<{ readonly hits: readonly DocumentHit[] }>>;
  readonly read: Tool<(input: ReadInput) => Promise<DocsReading>>;
  /** A function for `run` nodes: keeps the entries whose `quote` is a literal part of their `file`. */
  readonly verify: <T extends Quoted>(entries: readonly T[]) => Promise<T[]>;
  /** Builds the index, as the first search does, and says how much it has. */
  readonly size: () => Promise<DocsIndexSize>;
}

interface SearchInput {
  readonly query: string;
  readonly limit?: number;
}

interface ReadInput {
  readonly file: string;
  readonly heading?: string;
}

const HITS = 6;
const HITS_MAX = 20;

/** Tools over the documents of the packages in `root`, a folder like `node_modules`. Nothing is read before the first call. */
export function createDocsTools({ root }: { readonly root: string }): DocsTools {
  const index = indexLater(root);
  return {
    search: createSearch(index),
    read: createRead(root),
    verify: (entries) => {
      const documents = documentsIn(root);
      return verifyQuotes(entries, async (file) => {
        const document = documents.get(file);
        return document === undefined ? "" : readLiteral(root, document.file);
      });
    },
    size: () => index.size(),
  };
}

/** The index, and the search engine that it is, are loaded with the first search. */
function indexLater(root: string): DocsIndex {
  let index: Promise<DocsIndex> | undefined;
  const loaded = () => {
    index ??= import("./docs-index.ts").then((door) => door.createDocsIndex(root));
    return index;
  };
  return {
    search: async (query, limit) => (await loaded()).search(query, limit),
    size: async () => (await loaded()).size(),
  };
}

function createSearch(index: DocsIndex): DocsTools["search"] {
  const search = async ({ query, limit = HITS }: SearchInput) => {
    const matches = await index.search(query, limit);
    return { hits: matches.map(({ piece, score }) => toHit(piece, { score, query })) };
  };
  return tool(search, {
    effect: "none",
    parallel: true,
    description:
      "Full-text search over the README and documentation files of the installed packages. Gives the best sections, best first, with a literal snippet of each.",
    input: {
      type: "object",
      properties: {
        query: { type: "string", description: "keywords to search for" },
        limit: { type: "integer", minimum: 1, maximum: HITS_MAX, description: "how many hits" },
      },
      required: ["query"],
      additionalProperties: false,
    },
  });
}

function toHit(
  piece: { readonly package: string; file: string; heading: string; text: string },
  { score, query }: { score: number; query: string },
): DocumentHit {
  const { file, heading } = piece;
  const snippet = snippetOf(piece.text, query);
  return { package: piece.package, file, heading, score: Math.round(score * 10) / 10, snippet };
}

function createRead(root: string): DocsTools["read"] {
  const read = ({ file, heading }: ReadInput) =>
    readDocument(root, { file, heading }, documentsIn(root));
  return tool(read, {
    effect: "none",
    parallel: true,
    description:
      "Reads a documentation file, or one section of it, exactly as it is. Take `file` and `heading` from a hit of the search.",
    input: {
      type: "object",
      properties: {
        file: { type: "string", description: "the file of a hit" },
        heading: { type: "string", description: "the heading of a hit; the whole file without it" },
      },
      required: ["file"],
      additionalProperties: false,
    },
  });
}

const SNIPPET_CHARS = 400;

/** Whole lines of `text`, about 400 characters, around the line with the most words of `query`: literal. */
function snippetOf(text: string, query: string): string {
  const asked = new Set(tokensOf(query).flatMap(termsOf));
  const lines = text.split("\n");
  let at = 0;
  let most = -1;
  for (const [number, line] of lines.entries()) {
    const found = countTerms(line, asked);
    if (found > most && line.trim() !== "") [most, at] = [found, number];
  }
  return widen(lines, at).trim();
}

function countTerms(line: string, asked: ReadonlySet<string>): number {
  return [...new Set(tokensOf(line).flatMap(termsOf))].filter((term) => asked.has(term)).length;
}

/** Takes lines below and above in turn until the snippet is full. */
function widen(lines: readonly string[], at: number): string {
  let [start, end] = [at, at + 1];
  let room = SNIPPET_CHARS - (lines[at]?.length ?? 0);
  for (let grown = true; grown; ) {
    grown = false;
    const below = lines[end];
    if (below !== undefined && below.length < room) {
      room -= below.length + 1;
      end += 1;
      grown = true;
    }
    const above = lines[start - 1];
    if (above !== undefined && above.length < room) {
      room -= above.length + 1;
      start -= 1;
      grown = true;
    }
  }
  return lines
    .slice(start, end)
    .join("\n")
    .slice(0, SNIPPET_CHARS * 4);
}

/** The members that a quote must have; its other members are kept as they are. */
interface Quoted {
  readonly file: string;
  readonly quote: string;
}

/**
 * Keeps the entries whose quote is in their file. A quote whose line breaks or spaces differ is replaced by the file's
 * own text; one that is not in the file at all is dropped, since a reader could not find it.
 */
async function verifyQuotes<T extends Quoted>(
  entries: readonly T[],
  read: (file: string) => Promise<string>,
): Promise<T[]> {
  const texts = new Map<string, Promise<string | undefined>>();
  const kept: T[] = [];
  for (const entry of entries) {
    const text = texts.get(entry.file) ?? read(entry.file).catch(() => undefined);
    texts.set(entry.file, text);
    const quote = literalOf(entry.quote, (await text) ?? "");
    if (quote !== undefined) kept.push({ ...entry, quote });
  }
  return kept;
}

/** The stretch of `text` that `quote` repeats, or nothing. */
function literalOf(quote: string, text: string): string | undefined {
  const words = quote.trim().split(/\s+/);
  if (words[0] === "") return undefined;
  if (text.includes(quote.trim())) return quote.trim();
  const pattern = words.map((word) => word.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")).join("\\s+");
  return new RegExp(pattern).exec(text)?.[0];
}
