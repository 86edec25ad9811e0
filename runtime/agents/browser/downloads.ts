/** Keeps what a page made the browser download as artifacts of the run. */
import { readFile } from "node:fs/promises";
import type { ToolContext } from "../scope/tools.ts";
import { shortText } from "../values/text-size.ts";
import { withinMs } from "./page/within-ms.ts";
import type { BrowserSession } from "./process/browser-session.ts";

const WAIT_MS = 30_000;

/** Waits for the downloads that began, keeps them, and says in sentences what came of each. */
export async function saveDownloads(
  session: BrowserSession,
  context: ToolContext,
): Promise<readonly string[]> {
  const sentences: string[] = [];
  for (const download of session.takeDownloads()) {
    const name = fileName(download.suggestedFilename());
    try {
      const failure = await withinMs(WAIT_MS, download.failure());
      if (failure !== null) {
        sentences.push(`The download of ${JSON.stringify(name)} failed: ${failure}.`);
        continue;
      }
      const data = await readFile(await download.path());
      const { id, bytes } = await context.artifact({ name, kind: "file", data });
      sentences.push(`Downloaded ${JSON.stringify(name)} (${bytes} bytes) as the artifact ${id}.`);
    } catch {
      await download.cancel().catch(() => undefined);
      sentences.push(`The download of ${JSON.stringify(name)} took too long and was stopped.`);
    } finally {
      await download.delete().catch(() => undefined);
    }
  }
  return sentences;
}

/** A page chooses the name: no folders, no signs that hide its ending. */
function fileName(suggested: string): string {
  const plain =
    suggested
      .replace(/[\p{Cc}\p{Cf}]/gu, "")
      .split(/[/\\]/)
      .at(-1) ?? "";
  return shortText(plain.replace(/^\.+/, ""), 120) || "download";
}
