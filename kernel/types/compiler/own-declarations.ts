/**
 * Gives the compiler the declarations of this package's own files instead of their whole text. A cell that imports
 * "madrigal" needs nothing else, and without it the compiler reads a fifth of the text and half of the files.
 */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type ts from "typescript-6";
import { cacheFolder } from "../../startup/keep-compiled.js";
import { type KeptText, openKept } from "../../startup/kept-texts.js";

let kept: KeptText | undefined;

/** The declarations of a file; where they can't be told without other files, its whole text. They are made once and kept. */
export function ownDeclarations(compiler: typeof ts, path: string): string {
  kept ??= openDeclarations(compiler);
  return kept(pathToFileURL(path).href, (text) => declarationsOf(compiler, path, text));
}

function openDeclarations(compiler: typeof ts): KeptText {
  const folder = cacheFolder();
  // Without a folder nothing is kept, as with one that can't be written.
  return openKept(join(folder ?? "/dev/null", `declarations-${compiler.version}`));
}

function declarationsOf(compiler: typeof ts, fileName: string, text: string): string {
  const { outputText, diagnostics = [] } = compiler.transpileDeclaration(text, {
    fileName,
    reportDiagnostics: true,
    compilerOptions: { isolatedDeclarations: true, strict: true },
  });
  return diagnostics.length === 0 ? outputText : text;
}
