/** `npm run outside -- NAME`: plays tasks and attacks that others wrote, prints a table, and ends with 1 where a bar is missed. */
import { runAgentDojo } from "./agentdojo/agentdojo.ts";
import { runAgents } from "./agents/agents.ts";
import { runAworld } from "./aworld/aworld.ts";
import { runBfcl } from "./bfcl/bfcl.ts";
import { runClaude } from "./claude/claude.ts";
import { runMagentic } from "./magentic/magentic.ts";
import { runParity } from "./parity/parity.ts";
import { runPatterns } from "./patterns/patterns.ts";
import { runTau2 } from "./tau2/tau2.ts";

/** Plays one set, tells its table, and returns whether its bars are reached. */
type PlaySet = (tell: (text: string) => void, options: readonly string[]) => Promise<boolean>;

const SETS: Readonly<Record<string, PlaySet>> = {
  agentdojo: runAgentDojo,
  agents: runAgents,
  aworld: runAworld,
  bfcl: runBfcl,
  claude: runClaude,
  magentic: runMagentic,
  parity: runParity,
  patterns: runPatterns,
  tau2: runTau2,
};

const [name = "", ...options] = process.argv.slice(2);
const playSet = Object.hasOwn(SETS, name) ? SETS[name] : undefined;
if (playSet === undefined) {
  console.error(`npm run outside -- ${Object.keys(SETS).join(" | ")}`);
  process.exitCode = 2;
} else {
  const isReached = await playSet((text) => console.log(text), options);
  console.log(isReached ? "all bars are reached" : "a bar is missed");
  process.exitCode = isReached ? 0 : 1;
}
