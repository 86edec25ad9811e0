/** What the main job's tests share: real documents, a live model in a loopback server, and what a run left behind. */
import { copyFileSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { type LogRecord, type Row, Session } from "../../runtime/index.ts";
import { projectRoot, temporaryFolder } from "../support/child.ts";
import { type OpenAiServer, openAiServer, type ServerScript } from "../support/openai-server.ts";

export const deepSearch = join(projectRoot, "runtime", "library", "deep-search.madrigal");

export const packages = ["rxjs", "immer", "minisearch", "knip"] as const;

/** Names its packages in backticks, which is how the model of these tests finds what to search for. */
export const question = "What are `rxjs`, `immer`, `minisearch` and `knip` for?";

/** A folder like node_modules with the README of a few packages: read at once, and nobody here wrote it. */
export function documents(): string {
  const folder = temporaryFolder("madrigal-docs-");
  for (const name of packages) {
    const from = join(projectRoot, "node_modules", name);
    const readme = readdirSync(from).find((file) => /^readme\.md$/i.test(file)) ?? "README.md";
    mkdirSync(join(folder, name));
    copyFileSync(join(from, readme), join(folder, name, "README.md"));
  }
  return folder;
}

export const secretKey = "k-3f9a61e2d7b84c05";

/** A live provider on 127.0.0.1, and the environment in which every alias runs on it. */
export async function liveModel(
  script: ServerScript,
): Promise<{ readonly server: OpenAiServer; readonly env: Readonly<Record<string, string>> }> {
  const server = await openAiServer(script);
  onTestFinished(() => server.close());
  const env = {
    MADRIGAL_MODEL: "openai-compatible/test-model",
    OPENAI_COMPATIBLE_BASE_URL: server.url,
    OPENAI_COMPATIBLE_API_KEY: secretKey,
  };
  return { server, env };
}

/** What is stored in a workspace whose processes have ended. */
export interface Stored {
  /** The trace that `madrigal run` wrote. */
  sql(statement: string): Promise<Row[]>;
  records(): readonly LogRecord[];
  readonly session: Session;
}

/** Opens what runs left behind; closed by the end of the test, or by `close()` for another process to go on. */
export function stored(home: string): Stored {
  const session = new Session({ env: { MADRIGAL_HOME: home }, name: "cli" });
  onTestFinished(() => session.close());
  return {
    session,
    sql: async (statement) => (await session.traces()).query(statement),
    records: () => session.store.read(session.store.find("last").runId),
  };
}

export function recordsOf<K extends LogRecord["kind"]>(
  records: readonly LogRecord[],
  kind: K,
): readonly (LogRecord & { readonly kind: K })[] {
  return records.filter((record): record is LogRecord & { kind: K } => record.kind === kind);
}

/** Every file below a folder. */
export function filesBelow(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}
