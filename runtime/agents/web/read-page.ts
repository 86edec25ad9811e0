/** Makes readable text of what a server sent: Markdown of HTML, other texts as they are. */
import { Worker } from "node:worker_threads";
import { messageOf } from "../../failure.ts";
import { withoutUnseen } from "../values/unseen-characters.ts";
import type { WebAnswer } from "./guarded-request.ts";
import { webError } from "./web-error.ts";

/** The data of the thread that reads a page. */
export interface PageToExtract {
  readonly html: string;
  /** The address of the page, from which its links start. */
  readonly url: string;
  /** All of it is wanted, not the article alone. */
  readonly isWhole?: boolean;
}

export interface ExtractedPage {
  readonly title: string;
  /** Markdown; links are absolute, and pictures are their descriptions. */
  readonly text: string;
}

/** The time, in milliseconds, and the memory, in MB, that a page may take to read: on a busy machine its reader alone takes seconds to load. */
const EXTRACT_MS = 60_000;
const EXTRACT_MB = 512;

/** Returns the text of an answer; rejects with M8605 for what is no text, and M8607 for a page that can't be read. */
export async function readPage(
  url: URL,
  { headers, body }: WebAnswer,
  signal: AbortSignal,
): Promise<ExtractedPage> {
  const type = (headers["content-type"] ?? "text/html").toLowerCase();
  const [media = ""] = type.split(";", 1);
  if (!isText(media.trim())) {
    throw webError("M8605", {
      message: `\`${url.href}\` is ${media.trim()}, and only texts are read`,
      hint: "look for a page that says the same",
    });
  }
  const text = decode(body, type);
  if (!/html/.test(media)) return { title: "", text: withoutUnseen(text) };
  const page = { html: text, url: url.href };
  const { title, text: read } = await extractPage(page, signal).catch((cause) => {
    signal.throwIfAborted();
    const message = `the page \`${url.href}\` can't be made readable: ${messageOf(cause)}`;
    throw webError("M8607", { message, cause });
  });
  return { title: withoutUnseen(title), text: withoutUnseen(read) };
}

function isText(media: string): boolean {
  return /^text\/|[/+](?:json|xml|yaml|x-yaml|javascript|x-ndjson)$/.test(media);
}

function decode(body: Buffer, type: string): string {
  const beginning = body.subarray(0, 2048).toString("latin1");
  const declared =
    /charset=["']?([\w-]+)/.exec(type) ?? /<meta[^>]+charset=["']?([\w-]+)/i.exec(beginning);
  try {
    return new TextDecoder(declared?.[1] ?? "utf-8").decode(body);
  } catch {
    return body.toString("utf8");
  }
}

/** Makes Markdown of HTML; rejects with an error whose message says why it can't be done, or with the reason of an abort. */
export async function extractPage(
  page: PageToExtract,
  signal: AbortSignal,
): Promise<ExtractedPage> {
  const ending = import.meta.url.endsWith(".ts") ? "ts" : "js";
  const worker = new Worker(new URL(`./extract-page.${ending}`, import.meta.url), {
    workerData: page,
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: EXTRACT_MB },
  });
  const { promise, resolve, reject } = Promise.withResolvers<ExtractedPage>();
  const timer = setTimeout(
    () => reject(new Error(`it took over ${EXTRACT_MS / 1000} s`)),
    EXTRACT_MS,
  );
  const stop = () => reject(signal.reason);
  signal.addEventListener("abort", stop, { once: true });
  worker.once("message", resolve);
  worker.once("error", reject);
  worker.once("exit", () => reject(new Error("its reader ended")));
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", stop);
    await worker.terminate();
  }
}
