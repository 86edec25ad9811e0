/** Bundles our TypeScript into few JavaScript files: what is used together is loaded together. */
import { readFileSync, writeFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { type OutputAsset, type OutputChunk, type Plugin, rolldown } from "rolldown";

/** The files that are started by their path: the package, the command, threads and processes. They keep their paths. */
const ENTRIES = [
  "kernel/http-client/connect.ts",
  "kernel/index.ts",
  "kernel/jupyter/worker.ts",
  "kernel/library/programs.ts",
  "kernel/madrigal.js",
  "kernel/startup/end-with-launcher.js",
  "kernel/startup/thread.js",
  "kernel/types/worker.ts",
  "runtime/agents/files/documents/convert-document.ts",
  "runtime/agents/models/local/llama-child.ts",
  "runtime/agents/web/extract-page.ts",
  "runtime/store/database/checkpoint-worker.js",
  "runtime/trace/agent-sql/agent-child.ts",
  "runtime/trace/thread/serve-traces.ts",
];

/**
 * The libraries that every start needs. They are bundled: Node takes longer to find and read their many files than to run them.
 * The others are installed beside the package.
 */
export const BUNDLED = [
  ...["@chevrotain/", "@noble/hashes", "chevrotain", "diff", "immer", "ipaddr.js", "rxjs", "tslib"],
];

/** Writes the files into `out`; packages that are not in `BUNDLED` stay imports. */
export async function bundle(root: string, out: string): Promise<void> {
  const build = await rolldown({
    cwd: root,
    input: Object.fromEntries(
      ENTRIES.map((path) => [path.replace(/\.[jt]s$/, ""), join(root, path)]),
    ),
    platform: "node",
    preserveEntrySignatures: "allow-extension",
    external: (id) =>
      !/^[./\0]/.test(id) && id !== SOURCE_URL && !BUNDLED.some((name) => id.startsWith(name)),
    // RxJS has CommonJS under the condition `node`, from which nothing unused can be left out.
    resolve: { alias: { rxjs: join(root, "node_modules/rxjs/dist/esm/index.js") } },
    // No module of ours is imported for what it does when it is loaded.
    treeshake: { moduleSideEffects: false },
    plugins: [keepSourceUrls(root), loadBuiltinsLazily(), writeAscii()],
    onLog: (level, log, report) => {
      if (level === "warn" && !HARMLESS.has(log.code ?? "")) throw new Error(log.message);
      report(level, log);
    },
  });
  const names = chunkNames(root, (await build.generate({ format: "esm" })).output);
  const written = await build.write({
    dir: out,
    format: "esm",
    entryFileNames: "[name].js",
    chunkFileNames: "chunks/[name]-[hash].js",
    sourcemap: true,
    comments: { legal: true, annotation: false, jsdoc: false },
    codeSplitting: {
      groups: [
        {
          debugName: "starts",
          name: (id) => (names.get(id)?.includes("-") ? names.get(id) : null),
        },
      ],
      includeDependenciesRecursively: false,
    },
  });
  await build.close();
  for (const { fileName } of written.output) {
    if (fileName.endsWith(".map")) leaveOutTexts(join(out, fileName));
  }
}

/** A map leads to the files and lines of the sources. Their texts, 2 MB packed, are in the repository. */
function leaveOutTexts(path: string): void {
  const { sourcesContent: _, ...map } = JSON.parse(readFileSync(path, "utf8"));
  writeFileSync(path, JSON.stringify(map));
}

/** The starts that people wait for, each with the file that it loads first. */
const STARTS: Readonly<Record<string, string>> = {
  launch: "kernel/startup/keep-compiled.js",
  command: "kernel/cli/main.ts",
  check: "kernel/cli/commands/write-programs/check.ts",
  runs: "kernel/cli/commands/stored-runs/runs.ts",
  library: "kernel/index.ts",
  jupyter: "kernel/jupyter/worker.ts",
  types: "kernel/types/worker.ts",
};

/**
 * Names the chunk of a module after all starts that load it, so that each start loads few chunks and nothing that it does not
 * need. A module that none of them loads is left to the bundler. `chunks` are the bundler's own: one for each set of users.
 */
function chunkNames(
  root: string,
  chunks: readonly (OutputAsset | OutputChunk)[],
): ReadonlyMap<string, string> {
  const byFile = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
  const names = new Map<string, string>();
  for (const [start, path] of Object.entries(STARTS)) {
    const first = chunks.find(
      (chunk) => chunk.type === "chunk" && chunk.moduleIds.includes(join(root, path)),
    );
    if (first === undefined) throw new Error(`no chunk has ${path}`);
    const loaded = new Set([first.fileName]);
    for (const file of loaded) {
      const chunk = byFile.get(file);
      if (chunk?.type !== "chunk") continue;
      for (const imported of chunk.imports) loaded.add(imported);
      for (const id of chunk.moduleIds) {
        const name = names.get(id);
        names.set(id, name === undefined ? start : `${name}-${start}`);
      }
    }
  }
  return names;
}

const SOURCE_URL = "madrigal:source-url";

/**
 * Each file finds what lies beside it by `import.meta.url`, which a bundle would change: it stays the place of the source
 * below the package, with the ending .js.
 */
function keepSourceUrls(root: string): Plugin {
  return {
    name: "keep-source-urls",
    resolveId: (id) => (id === SOURCE_URL ? id : undefined),
    load: (id) =>
      id === SOURCE_URL
        ? 'const root = new URL("../", import.meta.url);\nexport const sourceUrl = (path) => new URL(path, root).href;\n'
        : undefined,
    transform: (code, id) => {
      if (id === SOURCE_URL || !code.includes("import.meta.url")) return undefined;
      const path = relative(root, id).split(sep).join("/").replace(/\.ts$/, ".js");
      const url = `sourceUrl(${JSON.stringify(path)})`;
      return {
        // Behind the code: a command begins with the line that names its interpreter.
        code: `${code.replaceAll("import.meta.url", url)}\nimport { sourceUrl } from "${SOURCE_URL}";\n`,
        // Lines stay where they are, which is what stacks show.
        map: null,
      };
    },
  };
}

/**
 * A module of Node that is imported by a statement is loaded with all that it can export: `node:fs` with its streams,
 * `node:util` with its text decoder. What a call returns is loaded as it is used.
 */
function loadBuiltinsLazily(): Plugin {
  return {
    name: "load-builtins-lazily",
    renderChunk(code, { moduleIds }) {
      // It says what to do on a Node that has no such call.
      if (moduleIds.some((id) => id.endsWith("start-again.js"))) return null;
      const text = code.replace(IMPORTS, (imports) =>
        imports.replaceAll(BUILTIN_IMPORT, (_, names: string, module: string) => {
          const builtin = `globalThis.process.getBuiltinModule("${module}")`;
          const bound = names.replaceAll(" as ", ": ").replace("*: ", "");
          return CALLED_LATE.has(module)
            ? whenCalled(bound, builtin)
            : `const ${bound} = ${builtin};`;
        }),
      );
      return { code: text, map: null };
    },
    generateBundle: (_, files) => assertNoCycle(files),
  };
}

/**
 * V8 keeps a text with any character beyond Latin-1 in two bytes a character, and one arrow in a message makes that of a
 * whole chunk. An escape means the same in strings, templates, patterns and names.
 */
function writeAscii(): Plugin {
  return {
    name: "write-ascii",
    // Behind the bundler's last step, which writes escapes as the characters that they mean.
    generateBundle: (_, files) => {
      for (const file of Object.values(files)) {
        if (file.type === "chunk") file.code = file.code.replace(/[^\0-\x7f]/g, escapedCharacter);
      }
    },
  };
}

function escapedCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** Modules that export functions, of which most starts call none, and that take milliseconds to load. */
const CALLED_LATE = new Set(["node:child_process", "node:crypto", "node:http", "node:https"]);

/** Declares the functions of a pattern such as `{ hash, randomUUID: uuid }`, each of which loads the module when it is called. */
function whenCalled(pattern: string, builtin: string): string {
  const names = pattern.slice(1, -1).split(",");
  const functions = names.map((one) => {
    const [name, local = name] = one.split(":").map((part) => part.trim());
    return `${local} = (...args) => ${builtin}.${name}(...args)`;
  });
  return `const ${functions.join(", ")};`;
}

/** The lines of imports at the beginning of a chunk. */
const IMPORTS = /^(?:#!.*\n)?(?:import .*;\n)*/;
const BUILTIN_IMPORT = /^import (.+) from "(node:[^"]+)";$/gm;

/** A constant of a chunk is not there yet for a chunk that is loaded in the middle of it, as an import would be. */
function assertNoCycle(files: Readonly<Record<string, OutputAsset | OutputChunk>>): void {
  const done = new Set<string>();
  const visit = (name: string, path: readonly string[]) => {
    if (path.includes(name)) throw new Error(`chunks import each other: ${path.join(", ")}`);
    const file = files[name];
    if (done.has(name) || file?.type !== "chunk") return;
    for (const imported of file.imports) visit(imported, [...path, name]);
    done.add(name);
  };
  for (const name of Object.keys(files)) visit(name, []);
}

/** The bundler's warnings of what is intended: packages that stay outside, and files that only some starts load late. */
const HARMLESS = new Set(["UNRESOLVED_IMPORT", "INEFFECTIVE_DYNAMIC_IMPORT"]);
