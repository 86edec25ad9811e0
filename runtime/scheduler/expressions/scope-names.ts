/** The names of TypeScript that expressions use. */
import type { ExprIr, Ir } from "../../../dsl/index.ts";

/** `helpers.rank` where an expression is a name of the scope, or a member of one. */
export function scopePath(expression: ExprIr): string | undefined {
  if (expression.kind === "name") return expression.of === "scope" ? expression.name : undefined;
  if (expression.kind !== "member") return undefined;
  const group = scopePath(expression.object);
  return group === undefined ? undefined : `${group}.${expression.name}`;
}

/** The first words of all names of the scope in a part of a program. */
export function scopeNames(part: unknown): readonly string[] {
  const names = new Set<string>();
  visit(part, (name) => names.add(name));
  return [...names];
}

/** Lists the names of the scope that a run's expressions and reducers need: dotted names of functions, first words of all else. */
export function neededNames(ir: Ir): readonly string[] {
  const known = needed.get(ir) ?? readNeeded(ir);
  needed.set(ir, known);
  return known;
}

/** A graph is run many times, and never changes. */
const needed = new WeakMap<Ir, readonly string[]>();

function readNeeded({ fields, nodes, edges, endWhen, params }: Ir): readonly string[] {
  const reducers = [
    ...fields.map(({ reducer }) => reducer),
    ...nodes.flatMap(({ writes }) => writes.flatMap(({ via }) => via ?? [])),
  ];
  const parts = nodes.map(({ controller: _, skills: __, model: ___, ...node }) => node);
  return [
    ...new Set([
      ...reducers.flatMap(({ custom, name }) => (custom ? [name] : [])),
      ...scopeNames([fields, parts, edges, endWhen, params]),
    ]),
  ];
}

/** Tells whether something in a part of a program is asked for outside: a name of the scope, a reducer in TypeScript, the time. */
export function callsOut(part: unknown): boolean {
  if (typeof part !== "object" || part === null || isNumbers(part)) return false;
  return isAskedOutside(part) || Object.values(part).some(callsOut);
}

/** A span: there is one beside everything that a program says. */
function isNumbers(part: object): boolean {
  return Array.isArray(part) && typeof part[0] === "number";
}

function isAskedOutside(
  part: Partial<Record<"kind" | "of" | "name" | "custom", unknown>>,
): boolean {
  if (part.custom === true) return true;
  if (part.kind !== "name") return false;
  return part.of === "scope" || (part.of === "special" && part.name === "run");
}

function visit(part: unknown, found: (name: string) => void): void {
  if (typeof part !== "object" || part === null) return;
  const { kind, of, name } = part as { kind?: unknown; of?: unknown; name?: unknown };
  if (kind === "name" && of === "scope" && typeof name === "string") found(name);
  for (const child of Object.values(part)) visit(child, found);
}
