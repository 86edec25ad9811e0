/** Explanations of the error codes M5208 to M5299: agents that are spoken to over A2A. */
import type { CodePage } from "./page.ts";

export const remoteAgents = {
  M5208: {
    title: "this is no remote agent",
    why: '`controller a2a("https://agent.example", auth: "AGENT_TOKEN")` names the address of an agent, or of its card, and what is sent to it: the variable of the environment that holds its token, further headers by the variables that hold them, and the origins to which its card may lead. An address that comes from the state is sent a token only where its origin stands in `origins`: whoever fills the state could have the token otherwise.',
  },
  M5209: {
    title: "the card of a remote agent can't be used",
    why: "An agent says who it is by a card, at `.well-known/agent-card.json` below its address. There is none, it is no JSON of a card of A2A 1.0 or 0.3, it has more than 1 MiB, or it offers no interface that is spoken here (JSON-RPC and HTTP+JSON).",
  },
  M5210: {
    title: "the card of a remote agent leads elsewhere",
    why: 'The card names an interface at another origin than its own. Nothing is sent there: whoever changes a card could have tasks and tokens sent to another place, or to a machine that only you can reach. `origins: ["https://api.example.com"]` permits it.',
  },
  M5211: {
    title: "a remote agent lets us not in",
    why: "It answers with 401 or 403: there is no token, or another one is needed. Another try would be refused too, so there is none.",
  },
  M5212: {
    title: "a remote agent refuses",
    why: "It answered with an error of the protocol, which the message has: a task that can't be changed any more, parts that it does not take, a method that it has not; or it redirects to another place.",
  },
  M5213: {
    title: "a remote agent answers otherwise than A2A says",
    why: "What came is no message, task or event of A2A, belongs to another task than the one that was begun, or is too large. The turn ends here; what the agent does of its own is not known.",
  },
  M5214: {
    title: "a remote agent can't be reached",
    why: "The connection failed, was lost for longer than a minute, or was answered with 5xx, 408 or 429. While it is lost, the task is looked for again by its id: no message is sent twice.",
  },
  M5215: {
    title: "two agents have one name",
    why: 'A set of remote agents has each by the name of its card, written as names of the language are. Two of them have the same, or one has that of an agent that is there already. Give them names: `remoteAgents({ weather: "https://…" })`; `override: true` has the later one win.',
  },
} as const satisfies Record<`M52${number}`, CodePage>;
