/** Looks up the cached output of an attempt by everything it depends on, before it is performed. */
import {
  canonicalJson,
  type NodeIr,
  serverSkillName,
  sha256,
  withoutSpans,
} from "../../dsl/index.ts";
import { type Attempt, conversed, decided, type Performer } from "../performer.ts";
import type { Directions } from "../records/directions.ts";
import { type CommitRecord, innermost, type LogRecord } from "../records/records.ts";
import type { Cache } from "../store/run-store.ts";

/** The stored part of a commit. */
export interface CachedOutput extends Pick<Directions, "goto" | "conversation"> {
  readonly output: unknown;
  /** The questions in words that it was judged by and met; see `CacheUse`. */
  readonly met?: readonly string[];
}

/** Returns the result with which a performer would have led to this output. */
export function saidBefore({ output, goto, conversation }: CachedOutput): unknown {
  const result = goto === undefined ? output : decided(output, goto);
  return conversation === undefined ? result : conversed(result, conversation);
}

/** The key under which an attempt looks, and the entry that it found, if it is young enough. */
export interface CacheLookup {
  readonly key: string;
  readonly hit?: CachedOutput;
}

/** Nothing for nodes without `cache`, and for attempts that follow one which came to nothing: what is stored may be the reason. */
export function lookUpCached(
  { cache, performer }: { readonly cache?: Cache; readonly performer: Performer },
  attempt: Attempt,
  now: number,
): CacheLookup | undefined {
  const { cache: policy, every, effects } = attempt.node;
  if (policy === undefined || cache === undefined) return undefined;
  if (every !== undefined || effects === "external") return undefined;
  // Nothing tells from here whether a server still has the skill that an output came of.
  if (attempt.skills?.some((skill) => serverSkillName(skill) !== undefined)) return undefined;
  const key = keyOf(attempt, performer.madeOf?.(attempt));
  if (attempt.reason === "retry" || attempt.reason === "repair") return { key };
  const found = cache.get(key);
  const { ttlMs = Number.POSITIVE_INFINITY } = policy;
  if (found === undefined || now - found.storedAt > ttlMs) return { key };
  return { key, hit: found.value as CachedOutput };
}

/** Stores the output of a commit for others, if its node has `cache`. */
export function keepCached(cache: Cache | undefined, record: LogRecord): void {
  const made = innermost(record);
  if (cache === undefined || made.kind !== "commit" || made.cache === undefined) return;
  const output = cachedBy(made);
  if (output !== undefined) cache.put(made.cache.key, output);
}

/** Returns the part of a commit to store; undefined where it came from the cache, gave orders, sent messages, or handed its work over. */
function cachedBy(record: CommitRecord): CachedOutput | undefined {
  const { cache, output, goto, handoff, orders, edits, conversation, sends } = record;
  if (cache === undefined || cache.hit === true) return undefined;
  if ((handoff ?? orders ?? edits ?? sends) !== undefined) return undefined;
  const { met = [] } = cache;
  return {
    output: output ?? null,
    ...(goto === undefined ? {} : { goto }),
    ...(conversation === undefined ? {} : { conversation }),
    ...(met.length === 0 ? {} : { met }),
  };
}

function keyOf(attempt: Attempt, madeOf: unknown): string {
  const { node, cacheBy } = attempt;
  const { system, prompt, callArgs, operator, question, current, context, readable } = attempt;
  const { inbox = [], earlier = [], history = [], choices = [], conversation } = attempt;
  const messages = [...earlier, ...inbox].map(({ sender, kind, payload }) => [
    sender,
    kind,
    payload,
  ]);
  const read = { system, prompt, callArgs, operator, question, current, context, readable };
  const seen = cacheBy ?? { ...read, messages, history, choices, conversation };
  return sha256(canonicalJson(plain({ definition: definitionOf(node), madeOf, seen })));
}

/** Returns the definition of a node without its policies for attempts and for what follows from its output. */
function definitionOf(node: NodeIr): unknown {
  const { limit: _, retry: __, ensures: ___, approvals: ____, tell: _____, cache, ...rest } = node;
  const { sets: ______, each: _______, ...definition } = rest;
  return withoutSpans({ ...definition, by: cache?.by });
}

/** Members that are not there are none. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}
