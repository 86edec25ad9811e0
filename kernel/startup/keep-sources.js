/**
 * Keeps our files, stripped of their types, together in one file. Loading them one by one takes longer than running them:
 * Node looks each name up along its folders, reads the file, and looks for it in its compile cache.
 */
import { registerHooks, stripTypeScriptTypes } from "node:module";
import { openKept } from "./kept-texts.js";

/** Loads the imports among our files from `file`, unless they have changed since. */
export function keepSources({ file, folders }) {
  const textOf = openKept(file);
  const isOurs = (url) => url.endsWith(".ts") && folders.some((folder) => url.startsWith(folder));
  registerHooks({
    resolve: (specifier, context, next) => {
      const { parentURL } = context;
      if (parentURL === undefined || !specifier.startsWith(".") || !isOurs(parentURL))
        return next(specifier, context);
      const url = new URL(specifier, parentURL).href;
      return isOurs(url) ? { url, format: "module", shortCircuit: true } : next(specifier, context);
    },
    load: (url, context, next) =>
      isOurs(url)
        ? { format: "module", source: textOf(url, stripped), shortCircuit: true }
        : next(url, context),
  });
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
