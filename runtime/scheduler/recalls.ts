/** Says what a node recalls of a memory and what it stores in one; whoever drives the run asks and changes the store. */
import type { ExprIr, Ir, MemoryIr, NodeIr } from "../../dsl/index.ts";
import { memorySettings } from "../../dsl/index.ts";
import type { LoggedStore, Recalled, RecallRequest } from "../records/memory-records.ts";
import { freezeJson } from "../state/json.ts";
import { plain } from "../state/persistent.ts";
import { argumentFits, assertArgumentFits } from "./expressions/assert-fits.ts";
import type { Functions } from "./expressions/calls.ts";
import { callsOut, RECALL, resultOf } from "./expressions/calls.ts";
import { evaluate, type Lookup, shownInText } from "./expressions/evaluate.ts";

interface RecallingNode {
  readonly program: { readonly ir: Ir; readonly functions?: Functions | undefined };
  readonly node: NodeIr | undefined;
  /** A number that the node names. */
  readonly count: (top: NonNullable<NodeIr["recalls"][number]["top"]>) => number;
  readonly lookup: Lookup;
}

/** Entries are shown so many where the node says no number. */
const TOP = 5;

/**
 * The values that a node recalls under the name of a memory, the best first; nothing of one that it does not recall. `words`: other
 * words than its own clause has.
 */
export function recalledValues(
  place: RecallingNode,
  name: string,
  words?: string,
): readonly unknown[] | undefined {
  const { program, node, count, lookup } = place;
  const memory = program.ir.memories.find((one) => one.name === name);
  const recall = node?.recalls.find((one) => one.memory === name);
  if (node === undefined || memory === undefined || recall === undefined) return undefined;
  const { min, embed } = memorySettings(memory);
  const request: RecallRequest = {
    memory: name,
    scope: memory.scope ?? "user",
    agent: `${program.ir.name}.${node.name}`,
    text: words ?? ownWords(node, recall, lookup),
    top: recall.top === undefined ? TOP : count(recall.top),
    ...(min === undefined ? {} : { min }),
    ...(embed === undefined ? {} : { embed }),
  };
  const fits = (value: unknown) => isEntryOf(program.ir, memory, value);
  const { value } = resultOf(program.functions, { name: RECALL, args: [request], fits });
  const { entries = [] } = (value ?? {}) as Partial<Recalled>;
  return freezeJson(entries.map((entry) => entry.value));
}

function ownWords(node: NodeIr, { by }: NodeIr["recalls"][number], lookup: Lookup): string {
  return by === undefined ? askedText(node, lookup) : shownInText(evaluate(by, lookup));
}

/** The values that the prompt or the question names; where it names none, its text. */
function askedText({ prompt, ask, call }: NodeIr, lookup: Lookup): string {
  const bare: Lookup = (name, of) => (of === "memory" ? "" : lookup(name, of));
  const asked = prompt ?? ask?.question;
  if (asked === undefined)
    return (call?.args ?? [])
      .flatMap(({ value }) => (isMemory(value) ? [] : [shownInText(evaluate(value, bare))]))
      .join(" ");
  const parts = asked.kind === "template" ? asked.parts : [];
  const named = parts.filter((part): part is ExprIr => typeof part !== "string" && !isMemory(part));
  const of = named.length === 0 ? [asked] : named;
  return of.map((part) => shownInText(evaluate(part, bare))).join(" ");
}

function isMemory(part: ExprIr): boolean {
  return part.kind === "name" && part.of === "memory";
}

/** The entries that the `store` clauses of a node come to. Throws M5014 where a value is not of the memory's type. */
export function storedValues(
  { ir }: { readonly ir: Ir },
  node: NodeIr,
  lookup: Lookup,
): readonly LoggedStore[] {
  return node.stores.flatMap(({ value, memory: name }) => {
    const memory = ir.memories.find((one) => one.name === name);
    if (memory === undefined) return [];
    const made = plain(evaluate(value, lookup)) ?? null;
    const values = Array.isArray(made) && !isList(memory) ? made : made === null ? [] : [made];
    return values.map((one) => {
      const what = () => `what \`${node.name}\` stores into \`${name}\``;
      assertArgumentFits(ir, paramOf(memory), { what, value: one, span: value.span });
      return storeOf({ ir, node, memory }, one, lookup);
    });
  });
}

/** An entry of a memory with its key and settings. */
function storeOf(
  { ir, node, memory }: { readonly ir: Ir; readonly node: NodeIr; readonly memory: MemoryIr },
  value: unknown,
  lookup: Lookup,
): LoggedStore {
  const { keepMs, review } = memorySettings(memory);
  return {
    memory: memory.name,
    scope: memory.scope ?? "user",
    agent: `${ir.name}.${node.name}`,
    value,
    ...(memory.by === undefined ? {} : { key: keyIn(memory.by, value, lookup) }),
    ...(keepMs === undefined ? {} : { keepMs }),
    ...(review === true ? { review } : {}),
  };
}

/**
 * The key that a memory's `by` gives a value that a person or a tool writes; undefined where it has no `by`, or one that asks
 * something but the value. Throws M5014 where the value is not of the memory's type.
 */
export function writtenKey(
  { ir, memory }: { readonly ir: Ir; readonly memory: MemoryIr },
  value: unknown,
): string | undefined {
  const what = () => `what is written into \`${memory.name}\``;
  assertArgumentFits(ir, paramOf(memory), { what, value });
  const { by } = memory;
  return by === undefined || callsOut(by) ? undefined : keyIn(by, value, () => undefined);
}

/** The members of the value are named bare. */
function keyIn(by: ExprIr, value: unknown, lookup: Lookup): string {
  const members = typeof value === "object" && value !== null ? value : {};
  const inValue: Lookup = (name, of) =>
    of === "variable" ? (members as Record<string, unknown>)[name] : lookup(name, of);
  return JSON.stringify(plain(evaluate(by, inValue)) ?? null);
}

function isList({ type }: MemoryIr): boolean {
  return type.kind === "array";
}

/** Returns whether a value is of the type that a program declares for a memory. */
export function isEntryOf(ir: Ir, memory: MemoryIr, value: unknown): boolean {
  return argumentFits(ir, paramOf(memory), value);
}

/** A memory's entries are checked like arguments of its type. */
function paramOf(memory: MemoryIr) {
  const known = params.get(memory);
  if (known !== undefined) return known;
  const made = { name: memory.name, optional: false, type: memory.type };
  params.set(memory, made);
  return made;
}

const params = new WeakMap<MemoryIr, { name: string; optional: boolean; type: MemoryIr["type"] }>();
