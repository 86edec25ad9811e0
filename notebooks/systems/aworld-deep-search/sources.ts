/** The sources of the searchers: the documents of the installed packages, and a browser that reaches sites of this machine. */
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { createBrowserTools, createDocsTools, createWebTools } from "madrigal";

const privateHosts = ["127.0.0.1"];

export const docs = createDocsTools({
  root: process.env.MADRIGAL_DOCS ?? packagesAbove(import.meta.dirname),
});
export const browser = createBrowserTools({ privateHosts, report: false });

const web = createWebTools({ privateHosts });

interface Finding {
  readonly file: string;
  readonly quote: string;
}

/** Keeps the findings whose quote stands in their document, or on the page of their address. */
export async function checkQuotes<T extends Finding>(findings: readonly T[]): Promise<T[]> {
  const inIndex = await docs.verify(findings.filter(({ file }) => !isAddress(file)));
  const onSite: T[] = [];
  for (const finding of findings.filter(({ file }) => isAddress(file))) {
    const page = await web.read({ url: finding.file });
    if (JSON.stringify(page).includes(JSON.stringify(finding.quote).slice(1, -1))) {
      onSite.push(finding);
    }
  }
  return [...inIndex, ...onSite];
}

const isAddress = (file: string): boolean => /^https?:/.test(file);

/** The nearest folder of installed packages. */
function packagesAbove(folder: string): string {
  const packages = join(folder, "node_modules");
  return existsSync(packages) || dirname(folder) === folder
    ? packages
    : packagesAbove(dirname(folder));
}
