/** Runs of other processes that no file has yet: asked of those processes before a query, kept where they do not answer. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "../../clock.ts";
import { machineLiveness } from "../../store/lease.ts";
import { namesIn } from "../database/names-in.ts";
import { type Address, addressFile, type LiveRun } from "./owner-endpoint.ts";
import { type FilePart, quoted } from "./parquet-sql.ts";

/** An owner that is busy (a cell that blocks) is not waited for longer than that, and then left alone for a while. */
const PATIENCE_MS = 1_000;
const QUIET_MS = 5_000;

/** What one owner has told, and when. */
export interface LiveOwner {
  readonly owner: string;
  readonly pid: number;
  readonly runIds: readonly string[];
  /** Milliseconds since the epoch. */
  readonly asOf: number;
  /** Whether it answered when it was last asked. */
  readonly answers: boolean;
}

interface Heard extends LiveOwner {
  readonly token: string;
  /** The runs and how far they were, as text. */
  readonly mark: string;
  readonly path?: string;
  readonly quietUntil: number;
}

/** Follows the owners of a folder. */
export class LiveOwners {
  readonly #tracesDir: string;
  readonly #own: string;
  readonly #heard = new Map<string, Heard>();
  #folder: string | undefined;
  #count = 0;

  constructor(tracesDir: string, liveFile: string) {
    this.#tracesDir = tracesDir;
    this.#own = addressFile(liveFile);
  }

  get owners(): readonly LiveOwner[] {
    return [...this.#heard.values()];
  }

  /** Whether there is an owner to be asked. */
  get isAny(): boolean {
    return this.#addressFiles().length > 0;
  }

  /** The files with their runs; `isKnown` are those that are to be had otherwise. */
  parts(isKnown: (runId: string) => boolean): readonly FilePart[] {
    const seen = new Set<string>();
    return [...this.#heard.values()].flatMap(({ path, runIds }) => {
      const without = runIds.filter((runId) => isKnown(runId) || seen.has(runId));
      for (const runId of runIds) seen.add(runId);
      return path === undefined || without.length === runIds.length
        ? []
        : [{ paths: [path], without }];
    });
  }

  /** Asks every owner that lives for the runs that are not known. */
  async refresh(isKnown: (runId: string) => boolean): Promise<void> {
    const addresses = this.#addresses();
    for (const owner of this.#heard.keys()) {
      if (!addresses.some((address) => address.owner === owner)) this.#heard.delete(owner);
    }
    await Promise.all(addresses.map((address) => this.#ask(address, isKnown)));
  }

  close(): void {
    if (this.#folder !== undefined) rmSync(this.#folder, { recursive: true, force: true });
  }

  #addresses(): readonly Address[] {
    return this.#addressFiles().flatMap((path) => {
      const address = addressIn(path);
      if (address === undefined) return [];
      if (machineLiveness.isAlive(address.pid)) return [address];
      rmSync(path, { force: true });
      return [];
    });
  }

  #addressFiles(): readonly string[] {
    return namesIn(this.#tracesDir)
      .filter((name) => /^live-.*\.endpoint\.json$/.test(name))
      .map((name) => join(this.#tracesDir, name))
      .filter((path) => path !== this.#own);
  }

  async #ask(address: Address, isKnown: (runId: string) => boolean): Promise<void> {
    const { owner, pid, token } = address;
    const known = this.#heard.get(owner);
    // One of the same name that came after it has another token.
    const before = known?.token === token ? known : undefined;
    const now = systemClock.now();
    if (before !== undefined && before.quietUntil > now) return;
    try {
      const { runs } = (await (await post(address, "/live", {})).json()) as { runs: LiveRun[] };
      const missing = runs.filter(([runId]) => !isKnown(runId));
      const mark = JSON.stringify(missing);
      const same = { owner, pid, token, mark, asOf: now, answers: true, quietUntil: 0 };
      const runIds = missing.map(([runId]) => runId);
      if (before?.mark === mark) this.#heard.set(owner, { ...before, ...same });
      else if (missing.length === 0) this.#heard.set(owner, { ...same, runIds });
      else {
        const path = await this.#fetched(address, runIds);
        this.#heard.set(owner, { ...same, runIds, path });
      }
    } catch {
      const none = { owner, pid, token, mark: "", runIds: [], asOf: now };
      const quietUntil = now + QUIET_MS;
      this.#heard.set(owner, { ...none, ...before, answers: false, quietUntil });
    }
  }

  async #fetched(address: Address, runs: readonly string[]): Promise<string> {
    const bytes = await (await post(address, "/rows", { runs })).bytes();
    this.#folder ??= mkdtempSync(join(tmpdir(), "madrigal-live-"));
    this.#count += 1;
    const path = join(this.#folder, `${this.#count}.parquet`);
    writeFileSync(path, bytes, { mode: 0o600 });
    return path;
  }
}

async function post({ port, token }: Address, path: string, body: object): Promise<Response> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify(body),
    redirect: "error",
    signal: AbortSignal.timeout(PATIENCE_MS),
  });
  if (!response.ok) throw new Error(`${path} was answered with ${response.status}`);
  return response;
}

function addressIn(path: string): Address | undefined {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    // It went meanwhile, or is no address.
    return undefined;
  }
}

/** A view of the owners: whose live runs are seen, and as of when. */
export function ownersView(owners: readonly LiveOwner[]): string {
  const rows = owners.map(
    ({ owner, pid, runIds, asOf, answers }) =>
      `(${quoted(owner)}, ${Number(pid)}, ${runIds.length}, make_timestamp_ms(${Math.round(asOf)}), ${answers === true})`,
  );
  const none = "('', 0, 0, make_timestamp_ms(0), false)";
  return `CREATE OR REPLACE TEMP VIEW live_owners AS
SELECT *
FROM (VALUES ${rows.length === 0 ? none : rows.join(", ")}) owner(owner, pid, runs, as_of, answers)
WHERE ${rows.length > 0}`;
}
