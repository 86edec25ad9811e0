// How our threads begin, so that they find compiled what they load: the file is named by the first argument. Plain
// JavaScript, as keep-compiled.js is.
import { keepCompiled } from "./keep-compiled.js";

keepCompiled();
await import(`../${process.argv[2]}`);
