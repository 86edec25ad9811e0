/** Programs with one wrong expression, type or argument, in each place where one can stand. */
import type { CheckOptions } from "../../../../dsl/index.ts";

export interface Witness {
  readonly text: string;
  readonly options: CheckOptions;
}

const scope = ["f", "web.read"];

/** What an expression may have wrong, by code. */
const EXPRESSIONS: Readonly<Record<string, string>> = {
  M2101: "visits(nope) > 1",
  M2002: '[1].map(topic => 1).join("")',
  M2103: "nope",
  M2106: "load()",
  M2110: "[1].nope",
  M2111: '"x".jion()',
  M2113: "call",
  M2114: "(1)()",
  M2150: "[...Math.max(1, 2)].length > 1",
  M2302: `"a \${topic}"`,
  M3604: 'visits("x") > 1',
  M3210: '(1 == 1 ? "a" : "b") == "c"',
};

const END = "start -> x -> end";
const RUN = "run x = f(topic) writes a\n";

interface Parts {
  readonly top?: string;
  readonly head?: string;
  readonly lines?: string;
}

function program({ top = "", head = "topic: string", lines = `${RUN}${END}` }: Parts): string {
  return `${top}graph G(${head}) returns a {\nstate { a: string = "" }\n${lines}\n}\n`;
}

/** Where an expression may stand. */
const PLACES: readonly ((expression: string) => Parts)[] = [
  (it) => ({ top: `config { n: ${it} }\n` }),
  (it) => ({ head: `topic: string, p: Json = ${it}` }),
  (it) => ({ lines: `state { b: Json = ${it} }\n${RUN}${END}` }),
  (it) => ({ lines: `memory kept: Json by ${it}\n${RUN}${END}` }),
  (it) => ({ lines: `run x(w: Json = ${it}) = f(w) writes a\n${END}` }),
  (it) => ({ lines: `human x { ask \`Well?\` within 2h else ${it}; writes a }\n${END}` }),
  (it) => ({ lines: `run x = f(${it}) writes a\n${END}` }),
  (it) => ({ lines: `run x = f(topic) writes a { ensure ${it} }\n${END}` }),
  (it) => ({ lines: `defaults { ensure ${it} }\n${RUN}${END}` }),
  (it) => ({ lines: `${RUN}start -> x\nx -> end when ${it}` }),
  (it) => ({ lines: `${RUN}${END}\nend when ${it}` }),
];

/** Where a type may stand. */
const TYPES: readonly ((type: string) => Parts)[] = [
  (it) => ({ top: `type T = { x: ${it} }\n` }),
  (it) => ({ head: `topic: string, p: ${it}` }),
  (it) => ({ lines: `state { b: ${it} }\n${RUN}${END}` }),
  (it) => ({ lines: `memory kept: ${it}\n${RUN}${END}` }),
  (it) => ({ lines: `run x(w: ${it}) = f(w) writes a\n${END}` }),
];

const INNER =
  'graph H(p: int) returns b {\nstate { b: string = "" }\nrun y = f(p) writes b\nstart -> y -> end\n}\n';

/** What is wrong in one place only. */
const OTHERS: readonly Parts[] = [
  { top: "config { n: [1].map(state => 1) }\n" },
  { lines: `defaults { system "a \${topic}" }\n${RUN}${END}` },
  ...["H()", "H(1, 2)", "H(q: 1)", 'H("a")'].map((call) => ({
    top: INNER,
    lines: `graph x = ${call} writes a\n${END}`,
  })),
  { lines: `state { b: int = visits(x) }\n${RUN}${END}` },
  { lines: `run x = f(topic) writes a = 1\n${END}` },
  { lines: `run x = f(topic) writes a { ensure 1 }\n${END}` },
  { lines: `run x = f(topic) writes a via sum\n${END}` },
  { lines: `run x = f(topic) writes a via apend\n${END}` },
  { lines: `state { l: string[] = [] }\nrun x = f(topic) writes l via union(by: 1)\n${END}` },
  { lines: `defaults { ensure 1 }\n${RUN}${END}` },
  { lines: `defaults { retry topic }\n${RUN}${END}` },
  {
    top: 'model m = "rules"\n',
    lines: `defaults { tools web.write }\nagent x { model m; prompt \`\${topic}\`; writes a }\n${END}`,
  },
  {
    top: 'model m = "rules"\nopenapi api = "api.yaml"\n',
    lines: `agent x { model m; tools api.cat; prompt \`\${topic}\`; writes a }\n${END}`,
  },
  { lines: `${RUN}start -> x set topic = "a"` },
  { lines: `${RUN}${END}\nend when 1` },
];

const TESTS: readonly string[] = [
  'test "t" of G { given topic = "a"\nnobody says "b"\nexpect cost < $1 }\n',
  'test "t" of G { given nothing = "a"\nexpect cost < $1 }\n',
];

const options: CheckOptions = {
  scope,
  allowUnreadPrograms: true,
  apis: () => ({ operations: { get_day: "none" } }),
};

export const witnesses: readonly Witness[] = [
  ...PLACES.flatMap((place) => Object.values(EXPRESSIONS).map(place)).map(program),
  ...TYPES.flatMap((place) => ["Nope", "Record<string>"].map(place)).map(program),
  ...OTHERS.map(program),
  ...TESTS.map((test) => `${program({})}${test}`),
].map((text) => ({ text, options }));
