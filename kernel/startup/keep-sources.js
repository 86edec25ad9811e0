/**
 * Keeps our files, stripped of their types, together in one file. Loading them one by one takes longer than running them:
 * Node looks each name up along its folders, reads the file, and looks for it in its compile cache.
 */
import { createRequire, registerHooks, stripTypeScriptTypes } from "node:module";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { openKept } from "./kept-texts.js";

/** Loads the imports among our files from `file`, unless they have changed since. */
export function keepSources({ file, folders }) {
  const textOf = openKept(file);
  const isOurs = (url) => url.endsWith(".ts") && folders.some((folder) => url.startsWith(folder));
  registerHooks({
    resolve: (specifier, context, next) => {
      const { parentURL } = context;
      if (parentURL === undefined || !isOurs(parentURL)) return next(specifier, context);
      if (Object.hasOwn(IN_ONE_FILE, specifier))
        return inOneFile(specifier, next(specifier, context));
      if (!specifier.startsWith(".")) return next(specifier, context);
      const url = new URL(specifier, parentURL).href;
      return isOurs(url) ? { url, format: "module", shortCircuit: true } : next(specifier, context);
    },
    load: (url, context, next) => {
      const make = isOurs(url)
        ? stripped
        : url.endsWith("?named")
          ? () => withNames(url)
          : undefined;
      if (make === undefined) return next(url, context);
      return { format: "module", source: textOf(url, make), shortCircuit: true };
    },
  });
}

/** Files that hold a whole package. Node finds RxJS in 220 files and Chevrotain in 60: they take six and four times as long. */
const IN_ONE_FILE = {
  rxjs: { many: /\/dist\/cjs\/index\.js$/, one: "/dist/bundles/rxjs.umd.js?named" },
  chevrotain: { many: /\/lib\/src\/api\.js$/, one: "/lib/chevrotain.mjs" },
};

function inOneFile(name, found) {
  const { many, one } = IN_ONE_FILE[name];
  if (!many.test(found.url)) return found;
  return { url: found.url.replace(many, one), format: "module", shortCircuit: true };
}

/** A file of CommonJS as a module with names, which Node does not find in it by itself. */
function withNames(url) {
  const names = Object.keys(createRequire(url)(fileURLToPath(url)));
  return `import all from "./${basename(fileURLToPath(url))}";\nexport const { ${names.join(", ")} } = all;\n`;
}

/** Positions stay as they are. Node warns whoever runs us that its own function may change. */
function stripped(source) {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    return stripTypeScriptTypes(source);
  } finally {
    process.emitWarning = emitWarning;
  }
}
