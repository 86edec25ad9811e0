/**
 * Begins each of our threads: turns the caches on, then loads the file that the first argument names. It is plain JavaScript
 * as keep-compiled.js is.
 */
import { keepCompiled } from "./keep-compiled.js";

keepCompiled();
await import(process.argv[2]);
