/** Hashes the TypeScript behind each name that a graph uses, so that a later run can tell what changed. */
import { createHash } from "node:crypto";
import {
  type CalledIr,
  type DottedIr,
  type Ir,
  type NodeIr,
  plainSkillNames,
} from "../../dsl/index.ts";
import { lookUp, type Scope } from "../agents/scope/scope.ts";
import { skillKey } from "../agents/skills/skill-hashes.ts";
import { perGraph } from "../per-graph.ts";
import { scopeNames } from "../scheduler/expressions/calls.ts";
import { DEPTH, functionText, referredBy, textsIn } from "./referred.ts";

/** Hashes by name; `FILE:name` for those of another file than the run's graph. */
export type FunctionCode = Readonly<Record<string, string>>;

/**
 * Hashes the functions of a program, with everything that they name of the same scope and of their file; code of
 * packages is left out. A name without a declaration has no hash.
 */
export function codeOf(ir: Ir, scopeIn: (file: string | undefined) => Scope): FunctionCode {
  const own = ir.source?.file;
  const graphs: readonly CalledIr[] = [ir, ...(ir.graphs ?? [])];
  const found = graphs.flatMap((graph) => {
    const file = graph.source?.file ?? own;
    const scope = scopeIn(file);
    return namesIn(graph).flatMap((name) => {
      const hash = hashIn(name.split("."), scope);
      return hash === undefined ? [] : [[codeName(name, { file, own }), hash] as const];
    });
  });
  return Object.fromEntries(found);
}

/** All names of TypeScript that a graph uses, each once. */
const namesIn = perGraph((graph): readonly string[] => [
  ...new Set([...graph.nodes.flatMap(namesOf), ...namesAround(graph)]),
]);

/** Returns the key of a file's name among the hashes of a run whose graph is in the file `own`. */
export function codeName(
  name: string,
  { file, own }: { readonly file: string | undefined; readonly own: string | undefined },
): string {
  return file === undefined || file === own ? name : `${file}:${name}`;
}

/** The names that an attempt of a node may call: its function, its tools, and those in its expressions; and its skills. */
export function namesOf(node: NodeIr): readonly string[] {
  const called = [...(node.call === undefined ? [] : [node.call.callee]), ...node.tools];
  const { call: _, approvals: __, model: ___, ...rest } = node;
  const inScope = [rest, node.call?.args].flatMap(scopeNames);
  const skills = node.skills.flatMap(plainSkillNames).map(skillKey);
  return [...new Set([...called.map((name) => name.join(".")), ...inScope, ...skills])];
}

function namesAround({ fields, edges, endWhen, params, nodes }: CalledIr): readonly string[] {
  const reducers = [
    ...fields.map(({ reducer }) => reducer),
    ...nodes.flatMap(({ writes }) => writes.flatMap(({ via }) => via ?? [])),
  ];
  const custom = reducers.flatMap(({ custom: isCustom, name }) => (isCustom ? [name] : []));
  return [...custom, ...scopeNames([fields, edges, endWhen, params])];
}

/** The hash of one name, with all that its functions name of the same scope; nothing where nobody has declared it. */
export function hashIn(name: DottedIr, scope: Scope): string | undefined {
  const isGroup = name.at(-1) === "*";
  const value = lookUp(isGroup ? name.slice(0, -1) : name, scope)?.value;
  return value === undefined ? undefined : hashOf(value, scope);
}

/** Of what names nothing of the scope the hash is that of its text alone. */
export function hashOf(value: unknown, scope: Scope): string {
  const texts = typeof value === "function" ? undefined : textsIn(value, DEPTH);
  const text = typeof value === "function" ? functionText(value) : (JSON.stringify(texts) ?? "");
  const referred = [...referredBy(value, scope)].sort(([a], [b]) => (a < b ? -1 : 1));
  return sha256(referred.length === 0 ? text : JSON.stringify([text, referred]));
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
