/** Makes a set of remote agents by their cards, for a planner that chooses among them. */
import { RunError } from "../../failure.ts";
import type { Controller } from "../operator/controller.ts";
import { remoteController } from "./a2a-controller.ts";
import { RemoteAgent } from "./remote-agent.ts";
import { type A2aOptions, type RemotePlace, remotePlace } from "./remote-options.ts";

/** An agent of a set, as a planner is told of it. */
export interface RemoteAgentFacts {
  /** By the name of its card, with `_` for characters that the language has no names with; or as it was given. */
  readonly name: string;
  readonly url: string;
  readonly description: string;
  readonly skills: readonly { readonly name: string; readonly description: string }[];
}

/** Agents somewhere else, by their names. */
export class RemoteAgents {
  /** A controller for each, by its name: put them into a scope as `remote`. */
  readonly controllers: Readonly<Record<string, Controller>>;
  readonly list: readonly RemoteAgentFacts[];

  constructor(
    agents: readonly { readonly facts: RemoteAgentFacts; readonly place: RemotePlace }[],
  ) {
    this.list = agents.map(({ facts }) => facts);
    this.controllers = Object.fromEntries(
      agents.map(({ facts, place }) => [facts.name, remoteController(place)]),
    );
  }

  /** A line for each, for the prompt of a planner. */
  get text(): string {
    return this.list.map(({ name, description }) => `${name}: ${description}`).join("\n");
  }

  /** An operator for each, whose controller is `remote.NAME`, for the graph whose plans name them. */
  get declarations(): string {
    return this.list.map(operatorText).join("\n");
  }
}

export interface RemoteAgentsOptions extends A2aOptions {
  /** The names that are taken: those of the graph's other nodes. */
  readonly taken?: readonly string[];
  /** Has the later of two agents of one name win; else it is an error. */
  readonly override?: boolean;
}

/** Reads the cards of all of them at once. Rejects with M5209 to M5214 for one that can't be used, M5215 for two of one name. */
export async function remoteAgents(
  addresses: readonly string[] | Readonly<Record<string, string>>,
  { taken = [], override = false, ...options }: RemoteAgentsOptions = {},
): Promise<RemoteAgents> {
  const entries: readonly (readonly [string | undefined, string])[] = Array.isArray(addresses)
    ? addresses.map((url) => [undefined, url])
    : Object.entries(addresses);
  const found = await Promise.all(
    entries.map(async ([name, url]) => {
      const place = remotePlace(url, options, { env: process.env, isWritten: true });
      return { place, facts: await factsOf(place, name) };
    }),
  );
  const byName = new Map<string, (typeof found)[number]>();
  for (const one of found) {
    const { name, url } = one.facts;
    const other = byName.get(name)?.facts.url ?? (taken.includes(name) ? "the graph" : undefined);
    if (other !== undefined && !override) throw sameName(name, url, other);
    byName.set(name, one);
  }
  return new RemoteAgents([...byName.values()]);
}

async function factsOf(place: RemotePlace, name: string | undefined): Promise<RemoteAgentFacts> {
  const { card } = await RemoteAgent.at(place, AbortSignal.timeout(place.timeoutMs));
  return {
    name: name ?? nameOf(card.name),
    url: place.url.href,
    description: oneLine(card.description),
    skills: (card.skills ?? []).map((skill) => ({
      name: oneLine(skill.name),
      description: oneLine(skill.description),
    })),
  };
}

function nameOf(text: string): string {
  const name = text.trim().replace(/\W/g, "_");
  return /^[A-Za-z_]/.test(name) ? name : `agent_${name}`;
}

const TEXT_MAX = 500;

/** The words of a stranger stand in a prompt and in a program: as one line, of some length. */
function oneLine(text = ""): string {
  return `${text}`.replace(/\s+/g, " ").trim().slice(0, TEXT_MAX).toWellFormed();
}

function operatorText({ name, description }: RemoteAgentFacts): string {
  return `operator ${name}(step: Step, before: Json) ${JSON.stringify(description)} {
  controller remote.${name}
  prompt \`\${step.title}: \${step.details}. What came before: \${before}\`
}`;
}

function sameName(name: string, url: string, other: string): RunError {
  return new RunError("M5215", `two agents are called \`${name}\`: at ${url} and at ${other}`, {
    hint: `name them: \`remoteAgents({ ${name}: "…", ${name}_2: "…" })\`, or write \`override: true\``,
  });
}
