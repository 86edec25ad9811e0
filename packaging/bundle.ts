/** Bundles our TypeScript into few JavaScript files: what is used together is loaded together. */
import { join, relative, sep } from "node:path";
import { type Plugin, rolldown } from "rolldown";

/** The files that are started by their path: the package, the command, threads and processes. They keep their paths. */
const ENTRIES = [
  "kernel/index.ts",
  "kernel/jupyter/worker.ts",
  "kernel/madrigal.js",
  "kernel/startup/end-with-launcher.js",
  "kernel/startup/thread.js",
  "kernel/types/worker.ts",
  "runtime/store/database/checkpoint-worker.js",
  "runtime/trace/agent-sql/agent-child.ts",
];

/**
 * The libraries that every start needs. They are bundled: Node takes longer to find and read their many files than to run them.
 * The others are installed beside the package.
 */
export const BUNDLED = ["@chevrotain/", "@noble/hashes", "chevrotain", "immer", "rxjs"];

/** Writes the files into `out`; packages that are not in `BUNDLED` stay imports. */
export async function bundle(root: string, out: string): Promise<void> {
  const build = await rolldown({
    cwd: root,
    input: Object.fromEntries(
      ENTRIES.map((path) => [path.replace(/\.[jt]s$/, ""), join(root, path)]),
    ),
    platform: "node",
    external: (id) =>
      !/^[./\0]/.test(id) && id !== SOURCE_URL && !BUNDLED.some((name) => id.startsWith(name)),
    // RxJS has its modules under this name, and CommonJS under `node`.
    resolve: { conditionNames: ["es2015", "import", "default"] },
    // No module of ours is imported for what it does when it is loaded.
    treeshake: { moduleSideEffects: false },
    plugins: [keepSourceUrls(root)],
    onLog: (level, log, report) => {
      if (level === "warn" && log.code !== "UNRESOLVED_IMPORT") throw new Error(log.message);
      report(level, log);
    },
  });
  await build.write({
    dir: out,
    format: "esm",
    entryFileNames: "[name].js",
    chunkFileNames: "chunks/[name]-[hash].js",
    sourcemap: true,
  });
  await build.close();
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
