/** Serves a notebook of a test as an app, and asks it as a browser or a stranger would. */
import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { serveAppPages } from "../../../kernel/app/app-server.ts";
import type { NotebookFile } from "../../../kernel/notebook/notebook.ts";
import { projectRoot } from "../../support/child.ts";

export const TOKEN = "a token of visitors";
export const OWNER = "a token of the owner";

export interface ServedApp {
  readonly url: string;
  /** The folder with the runs of each visitor: `visitor-1` and so on. */
  readonly homes: string;
  /** The cookie that a visitor, or the owner, gets for the token. */
  enter(path?: "/" | "/owner"): Promise<string>;
}

/** Serves these cells of code; the rest is as `madrigal app` does it. */
export async function servedApp(
  cells: readonly string[] = [],
  more: { readonly max?: number; readonly leaveMs?: number } = {},
): Promise<ServedApp> {
  const folder = mkdtempSync(join(tmpdir(), "madrigal-app-"));
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }\n');
  symlinkSync(join(projectRoot, "node_modules"), join(folder, "node_modules"));
  const serving = await serveAppPages({
    ...{ notebook: notebookOf(cells), name: "test", showsCode: false, cwd: folder },
    ...{ homes: join(folder, "homes"), max: 4, leaveMs: 60_000, ...more },
    ...{ port: 0, token: TOKEN, ownerToken: OWNER, tell: () => {} },
  });
  onTestFinished(async () => {
    await serving.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return {
    url: serving.url,
    homes: join(folder, "homes"),
    async enter(path = "/") {
      const token = encodeURIComponent(path === "/" ? TOKEN : OWNER);
      const response = await fetch(`${serving.url}${path}?token=${token}`, { redirect: "manual" });
      return response.headers.get("set-cookie")?.split(";")[0] ?? `no cookie: ${response.status}`;
    },
  };
}

function notebookOf(cells: readonly string[]): NotebookFile {
  return {
    metadata: {},
    cells: cells.map((source) => ({
      ...{ cell_type: "code", id: randomUUID(), metadata: {}, source },
      ...{ execution_count: null, outputs: [] },
    })),
  };
}

/** Sends JSON as a page of the app does. */
export async function say(
  url: string,
  body: unknown,
  { cookie, ...headers }: Readonly<Record<string, string>> = {},
): Promise<number> {
  const response = await fetch(url, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      origin: new URL(url).origin,
      ...(cookie === undefined ? {} : { cookie }),
      ...headers,
    },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
  await response.text();
  return response.status;
}

/** All that the page of a visitor is told until `isEnough` of it. */
export async function toldUntil(
  url: string,
  cookie: string,
  isEnough: (stream: string) => boolean,
): Promise<string> {
  const stop = new AbortController();
  const response = await fetch(url, { headers: { cookie }, signal: stop.signal });
  let stream = "";
  for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    stream += chunk;
    if (isEnough(stream)) break;
  }
  stop.abort();
  return stream;
}
