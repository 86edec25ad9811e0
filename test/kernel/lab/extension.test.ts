/** Our extension for JupyterLab: what is installed is what the kernel knows, and nothing of it needs Node. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { classify } from "../../../kernel/cells/kinds/classify.ts";
import { extensionFiles } from "../../../kernel/lab/extension-files.ts";

interface Modules {
  readonly classify: typeof classify;
  readonly graphTokens: () => StreamParser;
  readonly magicTokens: () => StreamParser;
  readonly sqlTokens: () => StreamParser;
}

interface StreamParser {
  startState(): unknown;
  token(stream: Stream, state: unknown): string | null;
}

const files = extensionFiles();
let modules: Modules;

const folder = mkdtempSync(join(tmpdir(), "madrigal-extension-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

beforeAll(async () => {
  for (const [name, text] of files) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  writeFileSync(join(folder, "static/package.json"), '{ "type": "module" }');
  const load = async (name: string) => {
    const path = [...files.keys()].find((file) => file.endsWith(`/${name}`)) ?? "";
    return await import(pathToFileURL(join(folder, path)).href);
  };
  modules = { ...(await load("classify.js")), ...(await load("tokens.js")) };
});

test("its manifest names what JupyterLab loads", () => {
  const manifest = JSON.parse(files.get("package.json") ?? "");
  const { load, extension } = manifest.jupyterlab._build;
  expect(extension).toBe("./extension");
  expect(files.has(load)).toBe(true);
  expect(load).toMatch(/^static\/[0-9a-f]{16}\/entry\.js$/);
});

test("it imports its own files only, and asks nobody outside", () => {
  for (const text of files.values()) {
    const imports = [...text.matchAll(/^import .* from "([^"]+)"/gm)].map(([, name]) => name ?? "");
    for (const name of imports) {
      const within = /^static\/\w+\//.exec([...files.keys()].at(-1) ?? "")?.[0];
      expect([...files.keys()]).toContain(`${within}${name.replace("./", "")}`);
    }
    expect(text).not.toMatch(/https?:\/\/|fetch\(|node:/);
  }
});

test("where our colours can't be made, cells have those of TypeScript, and the console says why", async () => {
  const path = [...files.keys()].find((file) => file.endsWith("/plugins.js")) ?? "";
  const { createPlugins } = await import(pathToFileURL(join(folder, path)).href);
  // A JupyterLab whose editor has none of what our language is made of.
  const [cells] = await createPlugins(async () => ({ IEditorLanguageRegistry: {} }));
  const registered: { load(): Promise<unknown> }[] = [];
  const typescript = { support: { language: { parser: {} } } };
  cells.activate(undefined, {
    addLanguage: (language: { load(): Promise<unknown> }) => registered.push(language),
    getLanguage: async () => typescript,
  });
  const told = vi.spyOn(console, "error").mockImplementation(() => {});
  onTestFinished(() => told.mockRestore());
  expect(await registered[0]?.load()).toBe(typescript.support);
  expect(told.mock.calls.map(([text]) => text)).toEqual([
    "madrigal: cells are coloured as TypeScript:",
  ]);
});

test.each([
  "graph G() returns x {}",
  "// about it\nimport { a } from './a.ts'\ngraph G() returns x {",
  "%%graph\nwhatever",
  "%%sql\nSELECT 1",
  "%config",
  "const graph = 1;",
  "type A = { x: string }\nmodel m = 'rules'",
  "",
  "await DeepSearch.run({})",
])("%j is the same kind of cell in the editor as in the kernel", (code) => {
  expect(modules.classify(code)).toEqual(classify(code));
});

/** What CodeMirror gives to a tokenizer, as far as ours ask for it. */
class Stream {
  pos = 0;
  start = 0;
  readonly #line: string;
  constructor(line: string) {
    this.#line = line;
  }
  eol = () => this.pos >= this.#line.length;
  sol = () => this.pos === 0;
  next = () => this.#line[this.pos++];
  current = () => this.#line.slice(this.start, this.pos);
  skipToEnd = () => {
    this.pos = this.#line.length;
  };
  eatSpace = () => this.match(/\s+/) !== null;
  match(pattern: string | RegExp, isTaken = true): unknown {
    const rest = this.#line.slice(this.pos);
    const found =
      typeof pattern === "string"
        ? rest.startsWith(pattern) && pattern
        : new RegExp(pattern.source, `${pattern.flags.replace("y", "")}y`).exec(rest)?.[0];
    if (found === false || found === undefined) return null;
    if (isTaken) this.pos += found.length;
    return found;
  }
}

/** Each piece of a text with its style, as `graph:keyword`. */
function styled(parser: StreamParser, text: string): string {
  const state = parser.startState();
  const pieces = text.split("\n").map((line) => {
    const stream = new Stream(line);
    const told: string[] = [];
    while (!stream.eol()) {
      stream.start = stream.pos;
      const style = parser.token(stream, state);
      if (stream.pos === stream.start) throw new Error(`no progress at ${stream.pos} of ${line}`);
      if (style !== null && style !== "punctuation") told.push(`${stream.current()}:${style}`);
    }
    return told.join(" ");
  });
  return pieces.join("\n");
}

test("words, names, templates and comments of a graph are told apart", () => {
  const text = `graph Hi(name: string) returns text { // a
  agent write { prompt \`Dear \${name.first}, /* no */ \\\` yes\`; limit $0.50 }
  /* two
  lines */ start -> write -> end
}`;
  expect(styled(modules.graphTokens(), text)).toMatchInlineSnapshot(`
    "graph:keyword Hi:variableName name:variableName string:typeName returns:keyword text:variableName // a:comment
    agent:keyword write:variableName prompt:keyword \`:string Dear :string \${:brace name:variableName first:propertyName , /* no */ \\\` yes\`:string limit:keyword $0.50:number
    /* two:comment
    lines */:comment start:variableName ->:operator write:variableName ->:operator end:keyword
    "
  `);
});

test("SQL behind its magic line", () => {
  const text = `%%sql --chart bar\nSELECT "a b", count(*) FROM runs -- all\nWHERE id = \${id} AND x = 'it''s'`;
  expect(styled(modules.sqlTokens(), text)).toMatchInlineSnapshot(`
    "%%sql --chart bar:meta
    SELECT:keyword "a b":variableName count:variableName *:operator FROM:keyword runs:variableName -- all:comment
    WHERE:keyword id:variableName =:operator \${id}:special AND:keyword x:variableName =:operator 'it''s':string"
  `);
});

test("magics of a line each, on the first line and on the ones below it", () => {
  const text = `%config rows 500\n  // of today\n%runs "Deep Search" --status failed --limit 5\n%help %%sql`;
  expect(styled(modules.magicTokens(), text)).toMatchInlineSnapshot(`
    "%config:meta rows:variableName 500:number
      // of today:comment
    %runs:meta "Deep Search":string --status:keyword failed:variableName --limit:keyword 5:number
    %help:meta %%sql:meta"
  `);
});

test("a cell of magics is read by the words of magics, and no longer as TypeScript", async () => {
  const path = [...files.keys()].find((file) => file.endsWith("/cell-language.js")) ?? "";
  const { cellSupport } = await import(pathToFileURL(join(folder, path)).href);
  const read: string[] = [];
  const parserCalled = (name: string) => ({ createParse: () => read.push(name) });
  class Language {
    readonly parser: { createParse(input: object): void };
    constructor(_data: unknown, parser: { createParse(input: object): void }) {
      this.parser = parser;
    }
  }
  const { language } = cellSupport(
    { language: { parser: parserCalled("typescript") }, support: [] },
    {
      language: {
        Language,
        LanguageSupport: class {
          readonly language: Language;
          constructor(made: Language) {
            this.language = made;
          }
        },
        StreamLanguage: {
          define: ({ name }: { name: string }) => ({ parser: parserCalled(name) }),
        },
        defineLanguageFacet: () => ({}),
        indentService: { of: () => [] },
      },
      common: { Parser: class {} },
    },
  );
  for (const text of ["%config", "1 + 1", "%%sql\nSELECT 1", "graph G() returns x {}"])
    language.parser.createParse({ length: text.length, read: () => text });
  expect(read).toEqual(["madrigal-magic", "typescript", "madrigal-sql", "madrigal-graph"]);
});

test("a line of a graph is indented by two below an open brace, and other cells as they were", async () => {
  const path = [...files.keys()].find((file) => file.endsWith("/indent-graphs.js")) ?? "";
  const { indentGraphs } = await import(pathToFileURL(join(folder, path)).href);
  const indent = indentGraphs({ indentService: { of: (service: unknown) => service } });
  /** The columns before what is typed behind `▮`. */
  const columns = (marked: string) => {
    const position = marked.indexOf("▮");
    const lines = marked.replace("▮", "").split("\n");
    const starts = lines.map((_, at) => lines.slice(0, at).join("\n").length + (at === 0 ? 0 : 1));
    const line = (number: number) => {
      const [from, text] = [starts[number - 1] ?? 0, lines[number - 1] ?? ""];
      return { number, from, to: from + text.length, text };
    };
    const lineAt = (at: number) => line(starts.filter((start) => start <= at).length);
    const sliceString = (from: number, to?: number) => lines.join("\n").slice(from, to);
    return indent({ state: { doc: { line, lineAt, sliceString } } }, position);
  };
  const head = "graph G(a: string) returns b {\n  state { b: string }";
  expect(columns("graph G(a: string) returns b {▮")).toBe(2);
  expect(columns(`${head}▮`)).toBe(2);
  expect(columns(`${head}\n  agent go {▮`)).toBe(4);
  expect(columns(`${head}\n  agent go { // }\n    prompt "{"▮`)).toBe(4);
  expect(columns(`${head}\n▮}`)).toBe(0);
  expect(columns("const x = {▮")).toBeUndefined();
});
