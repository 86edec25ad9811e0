/** Finds what the "How to add …" sections of the documents name and the project does not have. */
import { dirname, join, normalize } from "node:path";
import type { SourceFile } from "./sources.ts";

export interface Project {
  /** Paths of all its files. */
  readonly paths: readonly string[];
  /** Everything that its sources say, to find names in. */
  readonly sourceText: string;
  /** Names of the scripts of package.json. */
  readonly scripts: readonly string[];
}

/** The text of the sections of `markdown` that say how to add something. */
export function recipesIn(markdown: string): string {
  const sections = markdown.split(/^(?=## )/m);
  return sections.filter((section) => /^## How to add/.test(section)).join("");
}

/** Files, folders, names and scripts that `document`'s recipes name between backticks, and `project` has not. */
export function findMissingInRecipes(document: SourceFile, project: Project): readonly string[] {
  const recipes = recipesIn(document.text).replaceAll(/^```[\s\S]*?^```/gm, "");
  const named = [...recipes.matchAll(/`([^`\n]+)`/g)].map(([, span = ""]) => span);
  return named.filter((span) => !isThere(span, dirname(document.path), project));
}

function isThere(span: string, folder: string, project: Project): boolean {
  const script = /^npm run ([\w-]+)/.exec(span)?.[1];
  if (script !== undefined) return project.scripts.includes(script);
  if (/^[\w./-]+(?:\/|\.(?:ts|js|py|md|json))$/.test(span)) return hasPath(span, folder, project);
  // A name of the code has a capital inside, an underscore or a call's brackets; other words are the language's.
  const name = /^\w*[a-z_][A-Z]\w*$|^[A-Z]+_\w+$|^\w+(?=\(\)$)/.exec(span)?.[0];
  return name === undefined || new RegExp(`\\b${name}\\b`).test(project.sourceText);
}

/** Whether `path` is a file or a folder as seen from `folder`, or the end of the path of one. */
function hasPath(path: string, folder: string, project: Project): boolean {
  const beside = normalize(join(folder, path));
  return project.paths.some(
    (file) =>
      `/${file}`.endsWith(`/${path}`) ||
      file === beside ||
      (path.endsWith("/") && (file.startsWith(beside) || `/${file}`.includes(`/${path}`))),
  );
}
