/** What it costs to have the engine at hand, in a process of its own: prints `[milliseconds, megabytes]`. */
export {};

const begun = performance.now();
await import("../../../runtime/index.ts");
const ms = performance.now() - begun;
process.stdout.write(`${JSON.stringify([ms, process.resourceUsage().maxRSS / 1024])}\n`);
