/** Reads the guard of a run: the settings of its outermost graph, and the values that it trusts. */
import { type ExprIr, GUARD, guardFaults, type NodeIr } from "../../../dsl/index.ts";
import { RunError } from "../../failure.ts";
import { ownMember, settingOf, shownField } from "../lookup.ts";
import type { Program } from "../program/program.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";
import type { Addresses } from "./addresses.ts";
import type { Guard } from "./decide-call.ts";

/** A graph and how it stands. */
export interface GuardedGraph {
  readonly program: Program;
  readonly snapshot: Snapshot;
}

type GuardSetting = Omit<Guard, "trusted"> & { readonly trust?: readonly string[] };

/**
 * The guard of a node: that of the outermost graph that has one, so that no graph or plan that it calls can do without.
 * Undefined where none has one.
 */
export function guardOf(around: readonly GuardedGraph[], node: NodeIr): Guard | undefined {
  const guarded = around.find(hasGuard);
  if (guarded === undefined) return undefined;
  const { trust, ...guard } = settingIn(guarded);
  if (trust === undefined) return guard;
  return { ...guard, trusted: [...trustedValues(trust, guarded), ...textsOfProgram(node)] };
}

/** The addresses that a guard permits. */
export interface GuardedReach extends Addresses {
  /** True if the guard says which values are trusted to choose an address. */
  readonly isTrustKept: boolean;
}

/** Returns the addresses that tools of a run may reach by themselves; undefined where no guard says anything of them. */
export function reachOf(around: readonly GuardedGraph[]): GuardedReach | undefined {
  const guarded = around.find(hasGuard);
  if (guarded === undefined) return undefined;
  const { urls, trust } = settingIn(guarded);
  if (urls === undefined && trust === undefined) return undefined;
  return { ...urls, isTrustKept: trust !== undefined };
}

/** A file may have one, and so may whoever starts a run. */
export function hasGuard({ program, snapshot }: GuardedGraph): boolean {
  const given = snapshot.config ?? {};
  return Object.hasOwn(given, GUARD) || program.ir.config.some(({ key }) => key === GUARD);
}

function settingIn({ program, snapshot }: GuardedGraph): GuardSetting {
  return (settingOf(program.ir, GUARD, snapshot.config) ?? {}) as GuardSetting;
}

/** Throws M8310 where a run gives a guard that is none. */
export function assertGuard(value: unknown): void {
  const [fault] = guardFaults(value);
  if (fault === undefined) return;
  throw new RunError("M8310", `the guard of the run is wrong: ${fault.message}`, {
    hint: fault.hint,
  });
}

function trustedValues(
  names: readonly string[],
  { program, snapshot }: GuardedGraph,
): readonly string[] {
  return names.flatMap((name) => {
    const value = ownMember(snapshot.input, name) ?? shownField(program, snapshot, name);
    if (value === undefined || value === null) return [];
    return [typeof value === "string" ? value : JSON.stringify(value)];
  });
}

/** Returns what the program itself says in the node's clauses: its author chose that, but not what the holes come to. */
function textsOfProgram({ system, prompt, call }: NodeIr): readonly string[] {
  return [system, prompt, ...(call?.args ?? []).map(({ value }) => value)].flatMap((value) =>
    value === undefined ? [] : literalsIn(value),
  );
}

function literalsIn(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(literalsIn);
  if (typeof value !== "object" || value === null) return [];
  const expression = value as ExprIr;
  if (expression.kind === "literal")
    return typeof expression.value === "string" || typeof expression.value === "number"
      ? [String(expression.value)]
      : [];
  if (expression.kind === "template")
    return expression.parts.flatMap((part) =>
      typeof part === "string" ? [part] : literalsIn(part),
    );
  return Object.values(value).flatMap(literalsIn);
}

/** Tells whether what a node reads before it begins is more than the values that the guard trusts. */
export function readsUntrusted(around: readonly GuardedGraph[], node: NodeIr): boolean {
  const guarded = around.find(hasGuard);
  if (guarded === undefined) return true;
  const isOwn = guarded === around.at(-1);
  const { trust = [] } = settingIn(guarded);
  return namesIn([node.system, node.prompt]).some((name) => !isOwn || !trust.includes(name));
}

function namesIn(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(namesIn);
  if (typeof value !== "object" || value === null) return [];
  const expression = value as ExprIr;
  if (expression.kind === "name")
    return expression.of === "config" || expression.of === "model" ? [] : [expression.name];
  return Object.values(value).flatMap(namesIn);
}
