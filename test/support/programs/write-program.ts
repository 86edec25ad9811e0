/** Shape → text of the language, with names. */
import { ownClauses } from "./own-clauses.ts";
import type { CallShape, NodeShape, ProgramShape, Step, Way } from "./shapes.ts";

/** Fields that any number of nodes may write at once. */
const MERGED = [
  ...(["log", "total", "peak", "tags", "best"] as const),
  ...([
    "log",
    "lasting",
    "ours",
    "folded",
    "low",
    "ranked",
    "total, tags?",
    "tags via append",
  ] as const),
] as const;

/** The one that is replaced, where nobody else can write it. */
const REPLACED = 5;

export function writeProgram(shape: ProgramShape, functions: readonly string[]): string {
  return new Writer(functions).program(shape);
}

interface Site {
  /** Nothing else of the graph can be at work here, so fields that are replaced may be written. */
  readonly isAlone: boolean;
  /** The variable of the `each` around. */
  readonly item: string | undefined;
}

class Writer {
  readonly #functions: readonly string[];
  readonly #nodes: string[] = [];
  readonly #arrows: string[] = [];
  readonly #named: string[] = [];
  /** The further arrows of the `each` that is being written. */
  #inner: string[] = [];
  /** The field of the items of an `each`, by their variable. */
  readonly #own = new Map<string, string>();
  #plans = 0;
  #names = 0;
  #items = 0;
  #calls = 0;

  constructor(functions: readonly string[]) {
    this.#functions = functions;
  }

  program({ ways, limit, endWhen, statements }: ProgramShape): string {
    const site: Site = { isAlone: ways.length === 1, item: undefined };
    for (const way of ways) this.#way(way, "start", site);
    const body = [
      STATE,
      ...this.#nodes,
      ...(limit === null ? [] : [`limit ${limit}`]),
      ...(endWhen === null ? [] : [`end when ${endWhen}`]),
      ...statements.flatMap((text) => this.#ofSomeNode(text)),
      ...this.#arrows,
    ];
    const graph = `${HEAD}\n${body.map((line) => `  ${line}`).join("\n")}\n}\n`;
    return `${MODEL}${graph}${this.#calls === 0 ? "" : CALLED}`;
  }

  /** With a node that is there in the place of `NODE`. */
  #ofSomeNode(text: string): readonly string[] {
    const node = this.#named[this.#named.length >> 1];
    if (node !== undefined) return [text.replaceAll("NODE", node)];
    return text.includes("NODE") ? [] : [text];
  }

  /** Writes a way that leaves `from`; what goes on behind it leaves what this gives: a node, or the sources of a join. */
  #way(way: Way, from: string, site: Site): string {
    return way.reduce((at, step) => this.#step(step, at, site), from);
  }

  #step(step: Step, from: string, site: Site): string {
    switch (step.kind) {
      case "node":
        return this.#to(from, step.node, site);
      case "fork":
        return this.#fork(step, from, site);
      case "branches":
        return this.#branches(step, from, site);
      case "choice":
        return this.#choice(step, from, site);
      case "each":
        return this.#each(step, from, site);
      case "loop": {
        const node = this.#to(from, step.node, site);
        const after = this.#node(plain, site);
        this.#arrows.push(
          `${node} -> { ${goesRound(step, node)} -> ${node} max ${step.max}, else -> ${after} }`,
        );
        return after;
      }
      case "round":
        return this.#round(step, from, site);
      case "pick":
        return this.#pick(step, from, site);
      case "rescue":
        return this.#rescue(step, from, site);
      case "call": {
        const name = this.#call(step.call);
        this.#arrows.push(`${from} -> ${name}(n)`);
        return name;
      }
      case "plan":
        return this.#plan(step, from, site);
      case "detach": {
        const at = isNode(from) && from !== "start" ? from : this.#to(from, plain, site);
        const beside = this.#node(step.node, { ...site, isAlone: false });
        this.#arrows.push(`${at} -> ${beside} detached`);
        return at;
      }
    }
  }

  /** One a program: the plan is a field that is replaced. */
  #plan({ plan }: Step & { kind: "plan" }, from: string, site: Site): string {
    if (!site.isAlone || this.#plans > 0) return this.#to(from, plan, site);
    this.#plans += 1;
    this.#nodes.push(
      "agent helper(step: Step, before: Json) { model m; prompt `Do ${step.title} after ${before}.` }",
      `agent planner "plans" { model m; prompt \`Plan for \${n}.\`; writes plan; ${plan.clauses.filter((clause) => clause.startsWith("retry")).join("; ")} }`,
      "graph go = planGraph(plan) writes results",
    );
    this.#arrows.push(`${from} -> planner`, "planner -> go");
    return "go";
  }

  #to(from: string, shape: NodeShape, site: Site): string {
    const name = this.#node(shape, site);
    this.#arrows.push(`${from} -> ${name}${shape.arrow}`);
    return name;
  }

  #fork({ nodes, need }: Step & { kind: "fork" }, from: string, site: Site): string {
    const beside = { ...site, isAlone: false };
    const names = nodes.map((node) => this.#node(node, beside));
    this.#arrows.push(`${from} -> [${names.join(", ")}]`);
    return join(names, need);
  }

  #branches({ ways, need }: Step & { kind: "branches" }, from: string, site: Site): string {
    const beside = { ...site, isAlone: false };
    const heads = ways.map(() => this.#node(plain, beside));
    this.#arrows.push(`${from} -> [${heads.join(", ")}]`);
    const ends = ways.map((way, index) => {
      const end = this.#way(way, heads[index] ?? "", beside);
      // A join has nodes for sources.
      return isNode(end) ? end : this.#to(end, plain, beside);
    });
    return join(ends, need);
  }

  #choice(step: Step & { kind: "choice" }, from: string, site: Site): string {
    const [first, second] = [this.#node(plain, site), this.#node(plain, site)];
    this.#arrows.push(
      step.condition === "match"
        ? `${from} -> match mode { "fast" -> ${first}, else -> ${second} }${step.after}`
        : `${from} -> { ${step.condition} -> ${first}, else -> ${second} }${step.after}`,
    );
    const ends = [this.#way(step.first, first, site), this.#way(step.second, second, site)];
    const after = this.#node(plain, site);
    for (const end of ends) this.#arrows.push(`${end} -> ${after}`);
    return after;
  }

  #each(step: Step & { kind: "each" }, from: string, site: Site): string {
    const after = this.#node(step.after, site);
    this.#arrows.push(`${from} -> ${this.#eachHop(step)}${this.#rescueOf(step, site)} -> ${after}`);
    return after;
  }

  /** The node for items that fail, before what goes on behind all; inside another `each` not every place can have one. */
  #rescueOf({ failing, options }: Step & { kind: "each" }, site: Site): string {
    if (failing === "" || options.includes("skip")) return "";
    return ` -> ${this.#use(plain, site)} on ${failing}`;
  }

  #eachHop({ items, options, body }: Step & { kind: "each" }): string {
    this.#items += 1;
    const item = `item${this.#items}`;
    // Nothing can be needed of what is known to be empty.
    const which = items === "[]" ? options.replace(/ need \d/, "") : options;
    const around = this.#inner;
    this.#inner = [];
    const own = `own${this.#items}`;
    if (this.#items % 2 === 0) this.#own.set(item, own);
    const state = this.#own.has(item) ? [`state { ${own}: int = 0 via sum }`] : [];
    const lines = [...state, this.#chain(body, item), ...this.#inner];
    this.#inner = around;
    const inside = lines.length === 1 ? ` ${lines.join("")} ` : `\n${lines.join("\n")}\n`;
    return `each ${item} of ${items}${which} {${inside}}`;
  }

  #round(step: Step & { kind: "round" }, from: string, site: Site): string {
    const head = this.#to(from, plain, site);
    const end = this.#way(step.way, head, site);
    const tail = this.#to(end, plain, site);
    const after = this.#node(plain, site);
    this.#arrows.push(
      `${tail} -> { ${goesRound(step, head)} -> ${head} max ${step.max}, else -> ${after} }`,
    );
    return after;
  }

  #pick(step: Step & { kind: "pick" }, from: string, site: Site): string {
    const { node, word, targets, orEnd, returns } = step;
    const name = word === "router" ? this.#router() : this.#node({ ...node, word }, site);
    const names = targets.map((target) => this.#node(target, site));
    const after = this.#node(plain, site);
    this.#arrows.push(
      `${from} -> ${name}`,
      `${name} -> ${[...names, ...(orEnd ? ["end"] : [])].join(" | ")}`,
      ...names.map((target, index) =>
        index === 0 && returns > 0
          ? `${target} -> { total < 40 -> return max ${returns}, else -> ${after} }`
          : `${target} -> ${after}`,
      ),
    );
    return after;
  }

  #rescue(step: Step & { kind: "rescue" }, from: string, site: Site): string {
    const node = this.#to(from, step.node, site);
    const rescue = this.#node(step.rescue, site);
    const after = this.#node(plain, site);
    this.#arrows.push(
      `${node} -> ${after}`,
      `${node} -> ${rescue} on ${step.on}`,
      `${rescue} -> ${step.isBack ? after : "end"}`,
    );
    return after;
  }

  // ── inside an `each`: a chain of hops, and arrows for failures ────────────────────────────────

  #chain(way: Way, item: string): string {
    const [step, ...rest] = way;
    const site = { isAlone: false, item };
    if (step === undefined) return this.#use(plain, site);
    if (step.kind === "loop") {
      const name = this.#node(step.node, site);
      const onwards = rest.length === 0 ? "end" : this.#chain(rest, item);
      const given = `${name}(${item})`;
      return `${given} -> { ${goesRound(step, name)} -> ${given} max ${step.max}, else -> ${onwards} }`;
    }
    const text = this.#hops(step, site, item);
    return rest.length === 0 ? text : `${text} -> ${this.#chain(rest, item)}`;
  }

  #hops(step: Exclude<Step, { kind: "loop" }>, site: Site, item: string): string {
    switch (step.kind) {
      case "node":
      case "detach":
        return this.#use(step.node, site);
      case "rescue": {
        const names = [step.node, step.rescue, plain].map((shape) => this.#node(shape, site));
        const [node, rescue, after] = names.map((name) => `${name}(${item})`);
        this.#inner.push(`${names[0]} -> ${rescue} on ${step.on}`);
        if (step.isBack) this.#inner.push(`${names[1]} -> ${after}`);
        return `${node} -> ${after}`;
      }
      case "plan":
        return this.#use(step.plan, site);
      case "fork":
        return this.#group(step.nodes, site);
      case "branches":
        return this.#group(
          step.ways.map(() => plain),
          site,
        );
      case "choice": {
        const ways = [this.#chain(step.first, item), this.#chain(step.second, item)];
        const [first, second] = ways;
        const after = this.#use(plain, site);
        return step.condition === "match"
          ? `match mode { "fast" -> ${first}, else -> ${second} }${step.after} -> ${after}`
          : `{ ${step.condition} -> ${first}, else -> ${second} }${step.after} -> ${after}`;
      }
      case "each":
        return `${this.#eachHop(step)} -> ${this.#use(step.after, site)}`;
      case "round":
        return this.#chain(step.way, item);
      case "pick": {
        const names = step.targets.map((target) => this.#use({ ...target, arrow: "" }, site));
        const decider = this.#use({ ...step.node, word: "agent", arrow: "" }, site);
        return `${decider} -> ${names.join(" | ")} -> ${this.#use(plain, site)}`;
      }
      case "call":
        return `${this.#call(step.call)}(n)`;
    }
  }

  #group(nodes: readonly NodeShape[], site: Site): string {
    const names = nodes.map((node) => this.#use({ ...node, arrow: "" }, site));
    return `[${names.join(", ")}] -> ${this.#use(plain, site)}`;
  }

  #use(shape: NodeShape, site: Site): string {
    const name = this.#node(shape, site);
    return `${name}${site.item === undefined ? "" : `(${site.item})`}${shape.arrow}`;
  }

  // ── nodes ─────────────────────────────────────────────────────────────────────────────────────

  #node(shape: NodeShape, site: Site): string {
    const name = this.#name("n");
    if (shape !== plain) this.#named.push(name);
    this.#nodes.push(this.#lineOf(name, shape, site));
    return name;
  }

  #lineOf(name: string, shape: NodeShape, { isAlone, item }: Site): string {
    const { word, write } = shape;
    const field = isAlone && write === REPLACED ? "last" : (MERGED[write] ?? "log");
    const params = item === undefined ? "" : "(it: Json)";
    const own = this.#own.get(item ?? "");
    const counts = own === undefined ? [] : [`set ${own} = ${own} + 1`];
    const all = [
      `writes ${field}`,
      ...counts,
      ...ownClauses({ name, word, own: shape.own, isAlone }),
      ...shape.clauses.flatMap((clause) => this.#ofSomeNode(clause)),
    ];
    // Each round is to look anew.
    const isSentinel = all.some((clause) => clause.startsWith("every "));
    const clauses = all
      .filter((clause) => !isSentinel || !clause.startsWith("cache "))
      .map((clause) =>
        own !== undefined && clause.startsWith("reads ") ? `${clause}, ${own}` : clause,
      );
    const hole = item === undefined ? "${n} of ${inbox.length}" : "${it} of ${inbox.length}";
    const count = own === undefined ? "" : ` after \${${own}}`;
    const text = `Do ${name} with ${hole}${count}.`;
    switch (word) {
      case "agent":
        return `agent ${name}${params} "does ${name}" { ${["model m", `prompt \`${text}\``, ...clauses].join("; ")} }`;
      case "operator":
        return `operator ${name}${params} "acts" { ${["controller pilot", `prompt \`${text}\``, ...clauses].join("; ")} }`;
      case "human":
        return `human ${name}${params} { ${[`ask \`${text}\``, ...clauses.map(reachedByQuestion)].join("; ")} }`;
      default: {
        const work = this.#functions[this.#names % this.#functions.length] ?? "work";
        const call = `${work}("${name}"${item === undefined ? ", n" : ", it"}, log, best${own === undefined ? "" : `, ${own}`})`;
        const rest = clauses.filter((clause) => !clause.startsWith("writes "));
        return `${word} ${name}${params} = ${call} writes ${field} { ${rest.join("; ")} }`;
      }
    }
  }

  #router(): string {
    const name = this.#name("r");
    this.#nodes.push(`router ${name} "decides" { model m; reads log; prompt \`Who?\` }`);
    return name;
  }

  #call({ graph, write, clauses }: CallShape): string {
    this.#calls += 1;
    const name = this.#name("g");
    const called = ["Leaf", "Stem", "Tree"][graph] ?? "Leaf";
    const given = `graph ${name}(of: int) = ${called}(of)`;
    const field = ["log", "total", "peak", "tags", "best"][write];
    const member = { log: "notes", total: "sum", peak: "sum", tags: "notes", best: "" }[
      field ?? ""
    ];
    const value = member === "" || member === undefined ? `{ a: result.sum }` : `result.${member}`;
    this.#nodes.push(`${given} writes ${field} = ${value} { ${clauses.join("; ")} }`);
    return name;
  }

  #name(letter: string): string {
    this.#names += 1;
    return `${letter}${this.#names}`;
  }
}

/** The condition of a loop that begins at a node; of some it is the number of its rounds. */
function goesRound({ condition, max }: { condition: string; max: number }, node: string): string {
  return max % 2 === 0 ? `round(${node}) < ${max} && visits(${node}) < 5` : condition;
}

function join(names: readonly string[], need: number | null): string {
  return need === null || need >= names.length
    ? `[${names.join(", ")}]`
    : `[${names.join(", ")}] need ${need}`;
}

function isNode(source: string): boolean {
  return !source.startsWith("[");
}

const plain: NodeShape = { word: "run", write: 1, clauses: [], own: 0, arrow: "" };

const MODEL = 'import { helpers } from "./helpers.ts"\nmodel m = "scripted"\nconfig { size: 2 }\n';

const HEAD = "graph Made(n: int = 2) returns log, total, peak, tags, best, last, mode {";

const STATE = `state {
    log:   string[] = [] via append
    total: int = 0 via sum
    peak:  int = 0 via max
    tags:  string[] = [] via union
    best:  Record<string, int> = {} via merge
    low:   int = 9 via min
    folded: int = 0 via fold
    ranked: Json[] = [] via union(x => x)
    results: Record<string, Json> = {} via merge
    plan?: Plan
    last:  string = ""
    mode:  "fast" | "slow" = "fast"
  }
  state thread { lasting: string[] = [] via append }
  state user { ours: int = 0 via sum }`;

/** What is called: a chain, one with a fork and items, one that calls both and itself. */
const CALLED = `graph Leaf(k: int) returns notes, sum {
  state { notes: string[] = [] via append
    sum: int = 0 via sum }
  state thread { leaves: string[] = [] via append }
  state user { ours: int = 0 via sum }
  run leaf1 = work("leaf1", k) writes notes { set leaves = ["leaf"], ours = k }
  run leaf2 = more("leaf2", k) writes sum { retry 1 }
  start -> leaf1 -> leaf2 -> end
}
graph Stem(k: int) returns notes, sum {
  state { notes: string[] = [] via append
    sum: int = 0 via sum }
  run stem1 = work("stem1", k) writes notes
  run stem2(it: Json) = more("stem2", it) writes sum
  run stem3 = more("stem3", k) writes notes
  run stem4 = more("stem4", k) writes sum
  start -> [stem1, stem3] -> each x of [1, 2, 3] { stem2(x) } -> stem4 -> { sum < 4 -> stem4 max 2, else -> end }
}
graph Tree(k: int) returns notes, sum {
  state { notes: string[] = [] via append
    sum: int = 0 via sum }
  graph tree1 = Leaf(k) writes notes, sum
  graph tree2 = Stem(k) writes notes, sum
  graph tree3 = Tree(k - 1) writes sum = result.sum
  start -> [tree1, tree2] -> { k > 0 -> tree3 max 3, else -> end }
}
`;

/** Of what the other limits count, a question spends nothing (M4110). */
function reachedByQuestion(clause: string): string {
  return clause.replace(/^limit .*?( else ask)?$/, "limit 3 errors$1");
}
