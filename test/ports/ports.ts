/** The nineteen ports: which design, of which example, and how it went to write them. */

/** Where a design comes from, and how long that is. */
type Original = {
  /** The project and the example in it, with the commit that was counted. */
  readonly source: string;
  readonly kind: "langgraph-js" | "langgraph-python" | "other";
} & (
  | {
      readonly lines: number;
      /** Which cells, blocks or lines of it say the same as the port: neither tools nor what only calls and prints. */
      readonly counted: string;
    }
  | { readonly estimate: number }
);

export interface Port {
  /** The path of the program below this folder, without its ending. */
  readonly program: string;
  readonly design: string;
  readonly original: Original;
  /** How often it was written until it checked and its tests passed, with the guide alone. */
  readonly tries: number;
}

const JS = "langgraphjs@f8bdf16d4f examples";
const AUTOGEN = "autogen@027ecf0a37 python/docs/src/user-guide";
const CREWAI = "crewAI-examples@da94a91e69 flows";

export const PORTS: readonly Port[] = [
  {
    program: "nine/airline",
    design: "airline support: handoffs, approvals",
    original: {
      source:
        "LangGraph (Python notebook), langgraph@0a73e5e1c6 tutorials/customer-support, part 4",
      kind: "langgraph-python",
      lines: 596,
      counted: "cells 17, 45-61 (odd)",
    },
    tries: 1,
  },
  {
    program: "nine/teams",
    design: "supervisor of two teams",
    original: {
      source: `LangGraph JS, ${JS}/multi_agent/hierarchical_agent_teams.ipynb`,
      kind: "langgraph-js",
      lines: 353,
      counted: "cells 11, 13, 15, 20, 22, 24, 26, 30, 32",
    },
    tries: 1,
  },
  {
    program: "nine/plan-execute",
    design: "plan and execute",
    original: {
      source: `LangGraph JS, ${JS}/plan-and-execute/plan-and-execute.ipynb`,
      kind: "langgraph-js",
      lines: 122,
      counted: "cells 7, 9, 11, 12, 14, 15, 18, 20",
    },
    tries: 1,
  },
  {
    program: "nine/reflexion",
    design: "Reflexion, and a tree search",
    original: {
      source:
        "LangGraph (Python notebooks), langgraph@0a73e5e1c6 tutorials/reflexion, langgraph@678730952a tutorials/lats",
      kind: "langgraph-python",
      lines: 406,
      counted:
        "reflexion: cells 5, 7, 9, 10, 13, 16, 18; lats: 6, 8, 10, 12, 14, 16, 19, 21, 24, 26",
    },
    tries: 4,
  },
  {
    program: "nine/map-reduce",
    design: "map-reduce with a recursive collapse",
    original: {
      source:
        "LangGraph JS, langchainjs@8bb980e86a docs/core_docs/docs/tutorials/summarization.ipynb",
      kind: "langgraph-js",
      lines: 102,
      counted: "cells 7, 14, 17, 21",
    },
    tries: 1,
  },
  {
    program: "nine/corrective-rag",
    design: "corrective RAG",
    original: {
      source: `LangGraph JS, ${JS}/rag/langgraph_crag.ipynb`,
      kind: "langgraph-js",
      lines: 141,
      counted: "cells 8, 10, 12",
    },
    tries: 1,
  },
  {
    program: "nine/chat",
    design: "chat with a summary and a profile",
    original: {
      source: `LangGraph JS, ${JS}/how-tos/add-summary-conversation-history.ipynb (without the profile)`,
      kind: "langgraph-js",
      lines: 67,
      counted: "cell 3",
    },
    tries: 1,
  },
  {
    program: "nine/debate",
    design: "five agents debate and vote",
    original: { source: "none; an estimate of LangGraph JS", kind: "langgraph-js", estimate: 230 },
    tries: 2,
  },
  {
    program: "nine/etl",
    design: "ETL with dead letters",
    original: { source: "none; an estimate of LangGraph JS", kind: "langgraph-js", estimate: 180 },
    tries: 2,
  },
  {
    program: "ten/rewoo",
    design: "ReWOO",
    original: {
      source: `LangGraph JS, ${JS}/rewoo/rewoo.ipynb`,
      kind: "langgraph-js",
      lines: 150,
      counted: "cells 5, 7, 8, 10, 12, 13, 15, 17",
    },
    tries: 1,
  },
  {
    program: "ten/simulation",
    design: "a simulated customer",
    original: {
      source: `LangGraph JS, ${JS}/chatbot-simulation-evaluation/agent-simulation-evaluation.ipynb`,
      kind: "langgraph-js",
      lines: 80,
      counted: "cells 3, 5, 8, 10, 12, 14",
    },
    tries: 1,
  },
  {
    program: "ten/sql-agent",
    design: "SQL agent with an approval",
    original: {
      source: `LangGraph JS, ${JS}/sql-agent/sql_agent.ts`,
      kind: "langgraph-js",
      lines: 187,
      counted: "lines 25-48, 89-241, 289-360",
    },
    tries: 1,
  },
  {
    program: "ten/swarm",
    design: "swarm that refunds a flight",
    original: {
      source: `AutoGen (Python notebook), ${AUTOGEN}/agentchat-user-guide/swarm.ipynb`,
      kind: "other",
      lines: 41,
      counted: "cells 3, 5, 7, 8, 9",
    },
    tries: 2,
  },
  {
    program: "ten/mixture",
    design: "mixture of agents",
    original: {
      source: `AutoGen (Python notebook), ${AUTOGEN}/core-user-guide/design-patterns/mixture-of-agents.ipynb`,
      kind: "other",
      lines: 104,
      counted: "cells 1, 3, 5, 7, 11",
    },
    tries: 1,
  },
  {
    program: "ten/group-chat",
    design: "group chat with a manager",
    original: {
      source: `AutoGen (Python notebook), ${AUTOGEN}/core-user-guide/design-patterns/group-chat.ipynb`,
      kind: "other",
      lines: 313,
      counted: "cells 3, 5, 7, 9, 11, 13, 15, 17",
    },
    tries: 1,
  },
  {
    program: "ten/self-evaluation",
    design: "a post that is evaluated and written again",
    original: {
      source: `CrewAI (Python), ${CREWAI}/self_evaluation_loop_flow`,
      kind: "other",
      lines: 133,
      counted: "main.py, the two crews, CharacterCounterTool.py; not their YAML",
    },
    tries: 1,
  },
  {
    program: "ten/lead-score",
    design: "leads are scored, a person chooses, all get mail",
    original: {
      source: `CrewAI (Python), ${CREWAI}/lead-score-flow`,
      kind: "other",
      lines: 252,
      counted: "main.py, types.py, the two crews, candidateUtils.py; not their YAML",
    },
    tries: 1,
  },
  {
    program: "ten/flight-booking",
    design: "flights are found, asked for and bought",
    original: {
      source:
        "PydanticAI (Python), pydantic-ai@4fda38988f examples/pydantic_ai_examples/flight_booking.py",
      kind: "other",
      lines: 147,
      counted: "all",
    },
    tries: 2,
  },
  {
    program: "ten/moderation",
    design: "a person moderates what a model flags",
    original: {
      source:
        "Mastra (TypeScript), mastra@0fc2e81f8c docs …/workflows_legacy/human-in-the-loop.mdx",
      kind: "other",
      lines: 156,
      counted: "blocks 4-6, and the workflow of block 7, by hand",
    },
    tries: 1,
  },
];
