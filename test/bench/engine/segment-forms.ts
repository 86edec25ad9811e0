/**
 * Compares forms of a log's segments: `node test/bench/engine/segment-forms.ts` prints, for logs of real runs, how many
 * bytes each form takes and how long it takes to write them (into SQLite too) and to read them back.
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { constants, zstdCompressSync, zstdDecompressSync } from "node:zlib";
import { createDocsTools, type Scope, Session, type scripted } from "../../../runtime/index.ts";
import type { LogRecord } from "../../../runtime/records/records.ts";
import { SegmentPacker, segmentText } from "../../../runtime/store/log/pack.ts";
import { asText } from "../../../runtime/store/log/segments.ts";
import { unpackRecords } from "../../../runtime/store/log/unpack.ts";
import { workload } from "./workloads.ts";

type Segment = readonly LogRecord[];
type Content = string | Uint8Array;

interface Form {
  write(records: Segment): readonly Content[];
  read(content: Content): readonly LogRecord[];
}

const ROUNDS = 15;
const folder = mkdtempSync(join(tmpdir(), "madrigal-segments-"));
const root = join(import.meta.dirname, "..", "..", "..");

// ── the logs, with the objects that their records share when they are written ───────────────────

const segments: Segment[] = [];
const write = asText.write;
const large = new Map<string, string>();
Object.assign(asText, {
  write(records: Segment, lastSeq: number) {
    segments.push(records);
    const written = write(records, lastSeq);
    for (const { hash, bytes } of written.large) large.set(hash, Buffer.from(bytes).toString());
    return written;
  },
});

interface Logged {
  readonly text: string;
  readonly scope: Scope;
  readonly input: Readonly<Record<string, unknown>>;
  readonly brain?: () => ReturnType<typeof scripted>;
}

async function logOf({ text, scope, input, brain }: Logged): Promise<readonly Segment[]> {
  segments.length = 0;
  const session = new Session({ cwd: folder, env: { MADRIGAL_HOME: folder } });
  const [graph] = Object.values(session.compile(text, { scope }));
  if (graph === undefined) throw new Error("no graph");
  await graph.run(input, brain === undefined ? {} : { models: { brain: brain() } }).output;
  await session.close();
  return [...segments];
}

function deepSearch(): Logged {
  const text = readFileSync(join(root, "runtime", "library", "deep-search.madrigal"), "utf8");
  const docs = createDocsTools({ root: join(root, "node_modules") });
  const question = "How do I handle validation errors in zod without a try/catch block?";
  return { text, scope: { docs }, input: { question } };
}

/** Replaces one of eight fields of 128 kB in each of 64 steps. */
function largeState(): Logged {
  const fields = Array.from({ length: 8 }, (_, at) => `f${at}`);
  const value = (step: number, at: number) =>
    Array.from({ length: 1_000 }, (_, row) => ({
      id: row,
      text: `row ${row} of field ${at}: ${"what was found there ".repeat(4)}`,
      seen: row % 97 === step % 97 ? step : 0,
    }));
  const text = `type Row = { id: int, text: string, seen: int }
graph Large() returns steps {
  state {
    steps: int = 0
${fields.map((name) => `    ${name}: Row[] = []`).join("\n")}
  }
${fields.map((name, at) => `  run n${at} = next${at}(steps) writes steps, ${name}`).join("\n")}
  limit 1000 steps
  start -> ${fields.map((_, at) => `n${at}`).join(" -> ")} -> { steps < 64 -> n0 max 1000, else -> end }
}`;
  const scope = Object.fromEntries(
    fields.map((name, at) => [
      `next${at}`,
      (steps: number) => ({ steps: steps + 1, [name]: value(steps, at) }),
    ]),
  );
  return { text, scope, input: {} };
}

function bench(name: string): Logged {
  const { ours, input } = workload(name);
  const { text, scope, model } = ours;
  return { text, scope, input, ...(model === undefined ? {} : { brain: model }) };
}

// ── the forms ───────────────────────────────────────────────────────────────────────────────────

const load = (hash: string) => large.get(hash) ?? "null";
const references: Form = {
  write: (records) => {
    const packer = new SegmentPacker();
    return [segmentText(records.map((record) => packer.add(record).text))];
  },
  read: (content) => unpackRecords(String(content), load),
};
const stored: Form = {
  write: (records) => write(records, records.at(-1)?.seq ?? 0).segments.map((one) => one.records),
  read: (content) => asText.read(content, load),
};
const plain: Form = {
  write: (records) => [JSON.stringify({ log: records })],
  read: (content) => JSON.parse(String(content)).log,
};
const zstd = (form: Form, level: number): Form => ({
  write: (records) =>
    form.write(records).map((text) =>
      text.length < 512
        ? text
        : zstdCompressSync(Buffer.from(String(text)), {
            params: { [constants.ZSTD_c_compressionLevel]: level },
          }),
    ),
  read: (content) =>
    form.read(typeof content === "string" ? content : zstdDecompressSync(content).toString()),
});

const forms: Readonly<Record<string, Form>> = {
  $same: references,
  "plain JSON": plain,
  "zstd 1": zstd(plain, 1),
  "zstd 3": zstd(plain, 3),
  "$same, zstd 1": zstd(references, 1),
  "as stored": stored,
};

// ── the figures ─────────────────────────────────────────────────────────────────────────────────

function fastest(work: () => void): number {
  const times = Array.from({ length: ROUNDS }, () => {
    const begin = process.hrtime.bigint();
    work();
    return Number(process.hrtime.bigint() - begin) / 1e6;
  });
  return Math.min(...times);
}

function insertAll(contents: readonly Content[]): number {
  return fastest(() => {
    const database = new DatabaseSync(join(folder, "forms.sqlite"));
    database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL");
    database.exec("CREATE TABLE segments (seq INTEGER PRIMARY KEY, records ANY) STRICT");
    const insert = database.prepare("INSERT INTO segments (records) VALUES (?)");
    for (const content of contents) insert.run(content);
    database.close();
    rmSync(join(folder, "forms.sqlite"));
  });
}

interface Workload {
  readonly made: () => Logged;
  /** Records a segment; without it, as they were flushed. */
  readonly size?: number;
}

const workloads: Readonly<Record<string, Workload>> = {
  "deep search": { made: deepSearch },
  "loop, 1 MB of state": { made: largeState },
  "chain 1000": { made: () => bench("chain 1000") },
  "chain 1000, flushed one by one": { made: () => bench("chain 1000"), size: 1 },
  "fan-out 1000": { made: () => bench("fan-out 1000") },
  "react 100": { made: () => bench("react 100") },
  "react 100, flushed four by four": { made: () => bench("react 100"), size: 4 },
};

function inParts(log: readonly Segment[], size: number | undefined): readonly Segment[] {
  if (size === undefined) return log;
  const all = log.flat();
  return Array.from({ length: Math.ceil(all.length / size) }, (_, at) =>
    all.slice(at * size, (at + 1) * size),
  );
}

for (const [name, { made, size }] of Object.entries(workloads)) {
  const log = inParts(await logOf(made()), size);
  console.log(`${name}: ${log.flat().length} records in ${log.length} segments`);
  for (const [form, { write, read }] of Object.entries(forms)) {
    const contents = log.flatMap((records) => write(records));
    const bytes = contents.reduce((sum, content) => sum + Buffer.byteLength(content), 0);
    const [writeMs, readMs] = [
      fastest(() => {
        for (const records of log) write(records);
      }),
      fastest(() => {
        for (const content of contents) read(content);
      }),
    ];
    const figures = [
      `${Math.round(bytes / 1000)} kB`,
      `write ${writeMs.toFixed(1)} ms`,
      `insert ${insertAll(contents).toFixed(1)} ms`,
      `read ${readMs.toFixed(1)} ms`,
    ];
    console.log(`  ${form.padEnd(14)} ${figures.join("  ")}`);
  }
}
rmSync(folder, { recursive: true });
