/** Writes the hashes of called graphs into the IR of their callers. */
import { withGraphs } from "../ir/called-graphs.ts";
import { canonicalJson, hashIr, sha256, withoutSpans } from "../ir/hash.ts";
import type { CalledIr, CallIr, Ir } from "../ir/ir.ts";

/**
 * Writes into the graphs of a file which graphs they call, by hash. Graphs that call each other in a round can't know
 * each other's hash: what the whole round means stands for it.
 */
export function lowerCalls(
  graphs: readonly Ir[],
  imported: ReadonlyMap<string, Ir>,
): readonly Ir[] {
  const linking: CallLinking = {
    own: new Map([...graphs].reverse().map((ir) => [ir.name, ir])),
    imported,
    done: new Map(),
  };
  const others = [...imported.values()].flatMap(({ graphs: inner = [], ...ir }) => [ir, ...inner]);
  const bare = graphs.map((ir) => (isCaller(ir, linking) ? withCalls(ir, linking) : ir));
  return bare.map((ir) => withGraphs(ir, [...bare, ...others]));
}

interface CallLinking {
  /** Of two graphs of one name the first is meant. */
  readonly own: ReadonlyMap<string, Ir>;
  readonly imported: ReadonlyMap<string, Ir>;
  readonly done: Map<Ir, CalledIr>;
}

function isCaller(ir: Ir, linking: CallLinking): boolean {
  return calledNames(ir, linking).length > 0;
}

/** The names under which a graph calls graphs that are known, also as tools, each once, in the order of its nodes. */
function calledNames({ nodes }: Ir, { own, imported }: CallLinking): readonly string[] {
  const names = nodes.flatMap(({ kind, call, tools }) =>
    (kind === "graph" && call !== undefined ? [call.callee, ...tools] : tools).flatMap(
      ([name, ...rest]) => (name !== undefined && rest.length === 0 ? [name] : []),
    ),
  );
  return [...new Set(names)].filter((name) => own.has(name) || imported.has(name));
}

function withCalls(ir: Ir, linking: CallLinking): CalledIr {
  const before = linking.done.get(ir);
  if (before !== undefined) return before;
  const round = roundOf(ir, linking);
  const meaning = round.length === 0 ? "" : meaningOf(round, linking);
  const calls = callsOf(ir, round, linking).map(
    (call): CallIr => ("hash" in call ? call : { name: call.name, round: meaning }),
  );
  const called = calls.length === 0 ? ir : { ...ir, calls };
  const done = { ...called, hash: hashIr(called) };
  linking.done.set(ir, done);
  return done;
}

type HalfCall = { readonly name: string } | Extract<CallIr, { readonly hash: string }>;

/** The calls of a graph; those within its round are without a hash. */
function callsOf(ir: Ir, round: readonly Ir[], linking: CallLinking): readonly HalfCall[] {
  return calledNames(ir, linking).map((name): HalfCall => {
    const own = linking.own.get(name);
    if (own !== undefined && round.includes(own)) return { name };
    const callee = own === undefined ? linking.imported.get(name) : withCalls(own, linking);
    return { name, hash: callee?.hash ?? "" };
  });
}

function meaningOf(round: readonly Ir[], linking: CallLinking): string {
  const meanings = round
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ hash: _hash, source: _source, ...ir }) =>
      withoutSpans({ ...ir, calls: callsOf({ ...ir, hash: "" }, round, linking) }),
    );
  return sha256(canonicalJson(meanings));
}

/** The graphs that call this one and are called by it, itself among them; none where nothing comes back to it. */
function roundOf(ir: Ir, linking: CallLinking): readonly Ir[] {
  return [...reachedFrom(ir, linking)].filter((one) => reachedFrom(one, linking).has(ir));
}

function reachedFrom(ir: Ir, linking: CallLinking): ReadonlySet<Ir> {
  const reached = new Set<Ir>();
  const pending = [ir];
  for (let next = pending.pop(); next !== undefined; next = pending.pop())
    for (const name of calledNames(next, linking)) {
      const callee = linking.own.get(name);
      if (callee === undefined || reached.has(callee)) continue;
      reached.add(callee);
      pending.push(callee);
    }
  return reached;
}
