/** Types of Node that are read once something names them: nobody may notice. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { nodeTypesRoot } from "../../../../kernel/types/compiler/compiler-options.ts";
import { RARE_NODE_TYPES, withoutRare } from "../../../../kernel/types/compiler/rare-node-types.ts";
import { temporaryFolder } from "../../../support/child.ts";
import { Notebook } from "../notebook.ts";

const folder = join(nodeTypesRoot(), "node");
const rareFiles = Object.values(RARE_NODE_TYPES).flat();
const index = readFileSync(join(folder, "index.d.ts"), "utf8");
const notebook = new Notebook();
afterAll(() => notebook.types.close());

test("the list of @types/node has all of them, and loses nothing else", () => {
  const files = (text = "") =>
    [...text.matchAll(/<reference path="([^"]+)"/g)].map(([, one]) => one);
  const left = files(withoutRare(join(folder, "index.d.ts"), index));
  const dropped = files(index).filter((file) => !left.includes(file));
  // What `inspector.d.ts` names itself comes with it.
  expect([...dropped, "inspector.generated.d.ts"].toSorted()).toEqual(
    expect.arrayContaining(rareFiles.toSorted()),
  );
  expect(withoutRare("/other/index.d.ts", index)).toBe(index);
});

test("they declare nothing global, and only the list of all modules names them", () => {
  for (const file of rareFiles)
    expect(readFileSync(join(folder, file), "utf8")).not.toMatch(/^\s*(declare )?global\b/m);
  const names = Object.keys(RARE_NODE_TYPES).join("|");
  const naming = new RegExp(
    `^(?!\\s*\\*).*(from|import)\\s*\\(?["'](node:)?(${names})(/\\w+)?["']`,
    "m",
  );
  const others = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(
    (file) => /^(?!ts5).*\.d\.ts$/.test(file) && !rareFiles.includes(file),
  );
  const found = others.filter((file) => naming.test(readFileSync(join(folder, file), "utf8")));
  expect(found).toEqual(["process.d.ts"]);
});

test("a cell that names one has its types, and so have the cells after it", async () => {
  const imported =
    'import { DatabaseSync } from "node:sqlite";\nconst open = () => new DatabaseSync(":memory:")';
  expect(await notebook.run(imported)).toBeUndefined();
  expect(await notebook.run("open().nothing")).toContain(
    "'nothing' does not exist on type 'DatabaseSync'",
  );
  const dynamic = 'const { constants } = await import("http2");\nconstants.HTTP2_HEADER_PATH';
  expect(await notebook.run(dynamic)).toBe(":path");
  const builtin = 'process.getBuiltinModule("node:inspector").nothing';
  expect(await notebook.run(builtin)).toContain("Property 'nothing' does not exist");
});

test("a file that a cell imports may be the one that names it", async () => {
  const file = join(temporaryFolder(), "reads.ts");
  writeFileSync(
    file,
    'import type { REPLServer } from "node:repl";\nexport type Server = REPLServer;\n',
  );
  const code = `import type { Server } from ${JSON.stringify(file)};\nconst of = (server: Server) => server.nothing`;
  expect(await notebook.run(code)).toContain("'nothing' does not exist on type 'REPLServer'");
});

test("each is offered where a module is named", async () => {
  expect(await notebook.complete('import { cpus } from "node:clu▮"')).toContain("node:cluster");
});
