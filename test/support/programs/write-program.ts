/** Shape → text of the language, with names. */
import type { CallShape, NodeShape, ProgramShape, Step, Way } from "./shapes.ts";

/** Fields that any number of nodes may write at once. */
const MERGED = ["log", "total", "peak", "tags", "best"] as const;

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
  #names = 0;
  #items = 0;
  #calls = 0;

  constructor(functions: readonly string[]) {
    this.#functions = functions;
  }

  program({ ways, limit, endWhen }: ProgramShape): string {
    const site: Site = { isAlone: ways.length === 1, item: undefined };
    for (const way of ways) this.#way(way, "start", site);
    const body = [
      STATE,
      ...this.#nodes,
      ...(limit === null ? [] : [`limit ${limit}`]),
      ...(endWhen === null ? [] : [`end when ${endWhen}`]),
      ...this.#arrows,
    ];
    const graph = `${HEAD}\n${body.map((line) => `  ${line}`).join("\n")}\n}\n`;
    return `${MODEL}${graph}${this.#calls === 0 ? "" : CALLED}`;
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
          `${node} -> { ${step.condition} -> ${node} max ${step.max}, else -> ${after} }`,
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
    }
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
        ? `${from} -> match mode { "fast" -> ${first}, else -> ${second} }`
        : `${from} -> { ${step.condition} -> ${first}, else -> ${second} }`,
    );
    const ends = [this.#way(step.first, first, site), this.#way(step.second, second, site)];
    const after = this.#node(plain, site);
    for (const end of ends) this.#arrows.push(`${end} -> ${after}`);
    return after;
  }

  #each(step: Step & { kind: "each" }, from: string, site: Site): string {
    const after = this.#node(step.after, site);
    this.#arrows.push(`${from} -> ${this.#eachHop(step)} -> ${after}`);
    return after;
  }

  #eachHop({ items, options, body }: Step & { kind: "each" }): string {
    this.#items += 1;
    const item = `item${this.#items}`;
    return `each ${item} of ${items}${options} { ${this.#chain(body, item)} }`;
  }

  #round(step: Step & { kind: "round" }, from: string, site: Site): string {
    const head = this.#to(from, plain, site);
    const end = this.#way(step.way, head, site);
    const tail = this.#to(end, plain, site);
    const after = this.#node(plain, site);
    this.#arrows.push(
      `${tail} -> { ${step.condition} -> ${head} max ${step.max}, else -> ${after} }`,
    );
    return after;
  }

  #pick({ node, word, targets, orEnd }: Step & { kind: "pick" }, from: string, site: Site): string {
    const name = word === "router" ? this.#router() : this.#node({ ...node, word }, site);
    const names = targets.map((target) => this.#node(target, site));
    const after = this.#node(plain, site);
    this.#arrows.push(
      `${from} -> ${name}`,
      `${name} -> ${[...names, ...(orEnd ? ["end"] : [])].join(" | ")}`,
      ...names.map((target) => `${target} -> ${after}`),
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

  // ── inside an `each`: one chain of hops ───────────────────────────────────────────────────────

  #chain(way: Way, item: string): string {
    const [step, ...rest] = way;
    const site = { isAlone: false, item };
    if (step === undefined) return this.#use(plain, site);
    if (step.kind === "loop") {
      const name = this.#node(step.node, site);
      const onwards = rest.length === 0 ? "end" : this.#chain(rest, item);
      const given = `${name}(${item})`;
      return `${given} -> { ${step.condition} -> ${given} max ${step.max}, else -> ${onwards} }`;
    }
    const text = this.#hops(step, site, item);
    return rest.length === 0 ? text : `${text} -> ${this.#chain(rest, item)}`;
  }

  #hops(step: Exclude<Step, { kind: "loop" }>, site: Site, item: string): string {
    switch (step.kind) {
      case "node":
      case "rescue":
        return this.#use(step.node, site);
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
          ? `match mode { "fast" -> ${first}, else -> ${second} } -> ${after}`
          : `{ ${step.condition} -> ${first}, else -> ${second} } -> ${after}`;
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

  #node(shape: NodeShape, { isAlone, item }: Site): string {
    const name = this.#name("n");
    const field = shape.write === 5 ? (isAlone ? "last" : "log") : (MERGED[shape.write] ?? "log");
    const params = item === undefined ? "" : "(it: Json)";
    const work = this.#functions[this.#names % this.#functions.length] ?? "work";
    const hole = item === undefined ? "${n} of ${inbox.length}" : "${it} of ${inbox.length}";
    const clauses = shape.clauses.join("; ");
    this.#nodes.push(
      shape.word === "run"
        ? `run ${name}${params} = ${work}("${name}"${item === undefined ? ", n" : ", it"}, log, best) writes ${field} { ${clauses} }`
        : `agent ${name}${params} "does ${name}" { ${["model m", `prompt \`Do ${name} with ${hole}.\``, `writes ${field}`, ...shape.clauses].join("; ")} }`,
    );
    return name;
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

function join(names: readonly string[], need: number | null): string {
  return need === null || need >= names.length
    ? `[${names.join(", ")}]`
    : `[${names.join(", ")}] need ${need}`;
}

function isNode(source: string): boolean {
  return !source.startsWith("[");
}

const plain: NodeShape = { word: "run", write: 1, clauses: [], arrow: "" };

const MODEL = 'model m = "scripted"\n';

const HEAD = "graph Made(n: int = 2) returns log, total, peak, tags, best, last, mode {";

const STATE = `state {
    log:   string[] = [] via append
    total: int = 0 via sum
    peak:  int = 0 via max
    tags:  string[] = [] via union
    best:  Record<string, int> = {} via merge
    last:  string = ""
    mode:  "fast" | "slow" = "fast"
  }`;

/** What is called: a chain, one with a fork and items, one that calls both and itself. */
const CALLED = `graph Leaf(k: int) returns notes, sum {
  state { notes: string[] = [] via append
    sum: int = 0 via sum }
  run leaf1 = work("leaf1", k) writes notes
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
  graph tree3 = Tree(k - 1) writes sum
  start -> [tree1, tree2] -> { k > 0 -> tree3 max 3, else -> end }
}
`;
