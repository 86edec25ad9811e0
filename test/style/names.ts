/** Finds names of types, functions and values that say too little, and types that share a name. */
import ts from "typescript-6";
import { countFindings, type Findings } from "./findings.ts";
import type { SourceFile } from "./sources.ts";

/** Type names that say a role in a sentence instead of a thing: name the thing (`RunPosition`, `PageReply`). */
const BANNED_TYPES =
  /^(?:Place|Placed|Said|Told|Standing|Asked|Found|Shown|Part|Named|Given|Held|Kept|Heard|Taken|Left|Gone)$/;

/** Function names without a verb or without its object: say of what (`breakpointText`), or what is done (`postCompletion`). */
const BANNED_FUNCTIONS =
  /^(?:textOf|placeOf|goOn|goOn[A-Z]\w*|take|takes|taken|told|said|heard|asked|found|shown|given|gone|left|held|kept|cameTo|placed|behind|without)$/;

/** Names of values that say a role in a sentence: name what is held (`history`, `outputText`, `isRunningAgain`). */
const BANNED_VALUES =
  /^#?(?:told|untold|said|heard|came|goOn|goesOn|standing|stood|letters?|desk|prospect|lately|elsewhere|givenTo|textOf)$/;

const TYPE = /^(?:export )?(?:declare )?(?:abstract )?(?:interface|type|class) (\w+)/gm;
const FUNCTION =
  /^\s*(?:export )?(?:async )?function\*? (\w+)|^(?:export )?const (\w+) = (?:async )?(?:\([^\n]*\)|\w+)(?:: [^=\n]+)? =>/gm;

/** Banned names of types and functions that `files` declare, with how often. */
export function findBannedNames(files: readonly SourceFile[]): Findings {
  const types = declaredNames(files, TYPE).filter((name) => BANNED_TYPES.test(name));
  const functions = declaredNames(files, FUNCTION).filter((name) => BANNED_FUNCTIONS.test(name));
  return countFindings([
    ...types.map((name) => `type ${name}`),
    ...functions.map((name) => `function ${name}`),
  ]);
}

/** Returns the banned names of variables, parameters and members that `files` declare, with their counts. */
export function findBannedValues(files: readonly SourceFile[]): Findings {
  return countFindings(
    files.flatMap((file) => declaredValues(file).filter((name) => BANNED_VALUES.test(name))),
  );
}

function declaredValues({ path, text }: SourceFile): readonly string[] {
  const names: string[] = [];
  const visit = (node: ts.Node): void => {
    const isName = ts.isIdentifier(node) || ts.isPrivateIdentifier(node);
    if (isName && isDeclaredBy(node.parent, node)) names.push(node.text);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true));
  return names;
}

function isDeclaredBy(parent: ts.Node, name: ts.Node): boolean {
  return "name" in parent && parent.name === name && !ts.isPropertyAccessExpression(parent);
}

/** Names that more than one of the types of `files` has, with how many have it. */
export function findSharedTypeNames(files: readonly SourceFile[]): Findings {
  const counts = countFindings(files.flatMap((file) => [...new Set(declaredNames([file], TYPE))]));
  return new Map([...counts].filter(([, count]) => count > 1));
}

function declaredNames(files: readonly SourceFile[], pattern: RegExp): readonly string[] {
  return files.flatMap(({ text }) =>
    [...text.matchAll(pattern)].flatMap(([, ...groups]) => groups.filter(Boolean)),
  );
}
