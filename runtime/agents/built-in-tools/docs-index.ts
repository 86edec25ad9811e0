/** Builds the full-text index of a folder's documents on first use, and follows changed files. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import MiniSearch, { type SearchResult } from "minisearch";
import { isStopWord } from "../words/stop-words.ts";
import { stem, termsOf, tokensOf } from "../words/words.ts";
import { type DocumentFile, documentsIn } from "./docs-files.ts";
import { type DocsSection, splitSections } from "./docs-sections.ts";

/** A part of a section, short enough to be ranked for what it says itself. */
export interface DocsPiece {
  readonly id: string;
  readonly package: string;
  readonly file: string;
  readonly heading: string;
  readonly text: string;
}

/** A piece that matches a query. */
export interface Match {
  readonly piece: DocsPiece;
  readonly score: number;
}

/** The public part of the index of documents. */
export interface DocsIndex {
  /** The best pieces for `query`, best first; never two of one section. */
  search(query: string, limit: number): Promise<Match[]>;
  size(): Promise<DocsIndexSize>;
}

/** The amount of text that an index has. */
export interface DocsIndexSize {
  readonly files: number;
  /** The parts of sections that a search ranks. */
  readonly pieces: number;
}

const PIECE_CHARS = 2_000;
const MATCHES_PER_FILE = 2;

/** An index over the documents of the packages in the folder `root`. */
export function createDocsIndex(root: string): DocsIndex {
  const index = new MiniSearch<DocsPiece>({
    fields: ["package", "heading", "text"],
    tokenize: tokensOf,
    processTerm: (word) => termsOf(word),
    searchOptions: {
      boost: { package: 2, heading: 2 },
      weights: { prefix: 0.2, fuzzy: 0.3 },
      bm25: { k: 1.2, b: 0.75, d: 0.5 },
    },
  });
  const pieces = new Map<string, DocsPiece>();
  const indexed = new Map<string, IndexedFile>();
  const update = createUpdate(root, { index, pieces, indexed });
  let updated = Promise.resolve();
  // One update at a time: searches come in parallel, and the first of them builds the index for all.
  const followFiles = () => {
    updated = updated.then(update, update);
    return updated;
  };
  return {
    async search(query, limit) {
      await followFiles();
      return best(find(index, query), pieces, limit);
    },
    async size() {
      await followFiles();
      return { files: indexed.size, pieces: pieces.size };
    },
  };
}

interface IndexedFile {
  readonly stamp: string;
  readonly ids: readonly string[];
}

interface PieceParts {
  readonly index: MiniSearch<DocsPiece>;
  readonly pieces: Map<string, DocsPiece>;
  readonly indexed: Map<string, IndexedFile>;
}

function createUpdate(root: string, { index, pieces, indexed }: PieceParts): () => Promise<void> {
  const remove = (file: string) => {
    for (const id of indexed.get(file)?.ids ?? []) {
      index.discard(id);
      pieces.delete(id);
    }
    indexed.delete(file);
  };
  return async () => {
    const now = documentsIn(root);
    for (const file of [...indexed.keys()]) if (!now.has(file)) remove(file);
    const added: DocsPiece[] = [];
    for (const document of now.values()) {
      const stamp = `${document.size} ${document.modifiedMs}`;
      if (indexed.get(document.file)?.stamp === stamp) continue;
      remove(document.file);
      const read = await readPieces(root, document);
      indexed.set(document.file, { stamp, ids: read.map(({ id }) => id) });
      for (const piece of read) pieces.set(piece.id, piece);
      added.push(...read);
    }
    // In portions, so that a heartbeat or an interrupt gets its turn.
    await index.addAllAsync(added, { chunkSize: 100 });
  };
}

async function readPieces(root: string, document: DocumentFile): Promise<DocsPiece[]> {
  const text = await readFile(join(root, document.file), "utf8").catch(() => ""); // Removed since it was listed.
  return splitSections(text).flatMap((section, at) =>
    splitText(section).map((part, number) => ({
      // The stamp makes an id new with its text: a discarded id must not come again before MiniSearch has cleaned up.
      id: `${document.file}#${at}.${number}@${document.size}.${document.modifiedMs}`,
      package: document.package,
      file: document.file,
      heading: section.heading,
      text: part,
    })),
  );
}

/** Cuts a long section between paragraphs. */
function splitText({ text }: DocsSection): string[] {
  const parts: string[] = [];
  let part = "";
  for (const paragraph of text.split(/(?<=\n[ \t]*\n)/)) {
    if (part !== "" && part.length + paragraph.length > PIECE_CHARS) {
      parts.push(part);
      part = "";
    }
    part += paragraph;
  }
  return [...parts, part];
}

function find(index: MiniSearch<DocsPiece>, query: string): SearchResult[] {
  const words = tokensOf(query);
  const telling = words.filter((word) => !isStopWord(word));
  const asked = (telling.length === 0 ? words : telling).join(" ");
  const prefix = (term: string) => term.length > 3;
  const results = index.search(asked, { prefix });
  const known = new Set(results.flatMap(({ queryTerms }) => queryTerms));
  const isMisspelt = (term: string) => !known.has(term) && /^\p{L}{6,}$/u.test(term);
  if (!tokensOf(asked).map(stem).some(isMisspelt)) return results;
  return index.search(asked, { prefix, fuzzy: (term) => (isMisspelt(term) ? 0.2 : false) });
}

function best(
  results: readonly SearchResult[],
  pieces: ReadonlyMap<string, DocsPiece>,
  limit: number,
): Match[] {
  const matches: Match[] = [];
  const sections = new Set<string>();
  const perFile = new Map<string, number>();
  for (const { piece, score } of ranked(results, pieces)) {
    const count = perFile.get(piece.file) ?? 0;
    const section = `${piece.file}#${piece.heading}`;
    if (count >= MATCHES_PER_FILE || sections.has(section)) continue;
    matches.push({ piece, score });
    if (matches.length >= limit) break;
    perFile.set(piece.file, count + 1);
    sections.add(section);
  }
  return matches;
}

/** Equal scores are ordered by place, so that an answer does not depend on which file came into the index first. */
function ranked(results: readonly SearchResult[], pieces: ReadonlyMap<string, DocsPiece>): Match[] {
  const matches: Match[] = [];
  for (const { id, score } of results) {
    const piece = pieces.get(String(id));
    if (piece !== undefined) matches.push({ piece, score });
  }
  return matches.sort((a, b) => b.score - a.score || (a.piece.id < b.piece.id ? -1 : 1));
}
