/** Asks a Python package index where a file lies: the one that pip is configured for, else PyPI. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isRecord } from "../is-record.ts";

type PipVariables = Readonly<Record<string, string | undefined>>;

const PYPI = "https://pypi.org/simple";

/** The address of the index: PIP_INDEX_URL, else `index-url` of pip's files, else PyPI. */
export function packageIndex(env: PipVariables): string {
  return (env.PIP_INDEX_URL || configuredIndex(env) || PYPI).replace(/\/+$/, "");
}

function configuredIndex(env: PipVariables): string | undefined {
  const home = env.HOME ?? "";
  const files = [
    env.PIP_CONFIG_FILE ?? "",
    join(env.XDG_CONFIG_HOME || join(home, ".config"), "pip", "pip.conf"),
    join(home, ".pip", "pip.conf"),
    "/etc/pip.conf",
  ];
  for (const file of files) {
    const found = /^\s*index-url\s*=\s*(\S+)/m.exec(readIfThere(file))?.[1];
    if (found !== undefined) return found;
  }
  return undefined;
}

function readIfThere(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

/** The address of a file of a project; throws where the index can't be asked or does not have it. */
export async function addressOfFile(index: string, project: string, name: string): Promise<string> {
  const page = `${index}/${project}/`;
  const headers = { accept: "application/vnd.pypi.simple.v1+json, text/html;q=0.5" };
  const answer = await fetch(page, { headers });
  if (!answer.ok) throw new Error(`${page} answered ${answer.status}`);
  const text = await answer.text();
  const isJson = answer.headers.get("content-type")?.includes("json") === true;
  const found = (isJson ? urlsOf(JSON.parse(text)) : hrefsOf(text)).find((url) =>
    new URL(url, answer.url).pathname.endsWith(`/${name}`),
  );
  if (found === undefined) throw new Error(`${page} has no ${name}`);
  return new URL(found, answer.url).href;
}

function urlsOf(page: unknown): string[] {
  const files = isRecord(page) && Array.isArray(page.files) ? page.files : [];
  return files.flatMap((file) => (isRecord(file) && typeof file.url === "string" ? file.url : []));
}

function hrefsOf(html: string): string[] {
  return [...html.matchAll(/href="([^"]+)"/g)].map(([, url = ""]) => url.replaceAll("&amp;", "&"));
}
