/** Explanations of what is missing where a strong agent is to run as a program of this machine. */
import type { CodePage } from "./page.ts";

export const strongAgents = {
  M8341: {
    title: "a strong agent can't take this place",
    why: '`graph.withAgents({ NODE: CONTROLLER })` has a strong agent do the work of an agent, or of a graph that a node calls: the node keeps its task and what it writes. The node is none of the graph\'s agents, or the text is no controller as a program writes it: `claude_code(cwd: "app")`, or a name of the scope.',
  },
  M8440: {
    title: "a strong agent sends a message that its node may not send",
    why: "What an agent may send, and to whom, is what the clause `tell` of its node says: the nodes that it names, `*` for whoever follows, and with `as` a type the form of the message. The tool `send` refuses another message at once; this is of one that a controller has told of by itself. It is sent back to the agent twice, as an answer that does not fit.",
  },
  M8340: {
    title: "the run has no session of this agent",
    why: "`run.session(…)` and `madrigal show RUN --session` tell all that one agent was told, said, did and asked, by the name of its node or the label of one of its node runs (`code#2`). A node that has not run yet has said nothing, and one that is no agent never does. The message lists those that have.",
  },
  M8561: {
    title: "the program of a strong agent is not installed",
    why: "`controller claude_code` starts the `claude` of the user, which is no part of Madrigal: the agent is a product of its own, with an account and a licence of its own. It is looked for on the PATH of the process; `command` names another one. `madrigal doctor` says which agents are there and which versions were tried.",
  },
  M8562: {
    title: "a variable that a strong agent is to get is not set",
    why: "The process of a strong agent gets the variables that any program needs (`PATH`, `HOME`, the language) and those whose names stand in `env`, and no others: no key of a model's provider reaches it unless the program names it. The one that the message names is not set where Madrigal runs.",
  },
  M8563: {
    title: "the folder of a strong agent is not there",
    why: "`cwd` names the folder that the agent works in, seen from the program's file. There is none.",
  },
} as const satisfies Record<`M8${number}`, CodePage>;
