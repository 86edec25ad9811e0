/** `npm run exceptions`: takes out of the lists of exceptions what is no longer needed; adds nothing. */
import { checks } from "./checks.ts";
import { dropExceptions } from "./findings.ts";

for (const [name, find] of Object.entries(checks)) dropExceptions(name, find());
