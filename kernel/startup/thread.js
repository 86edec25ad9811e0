/**
 * Begins each of our threads: turns the caches on and a warning off, then loads the file that the first argument names. It is
 * plain JavaScript as keep-compiled.js is.
 */
import { hideSqliteWarning } from "./hide-sqlite-warning.js";
import { keepCompiled } from "./keep-compiled.js";

keepCompiled();
hideSqliteWarning();
await import(process.argv[2]);
