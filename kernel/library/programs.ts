/** The programs that come with Madrigal, for TypeScript; `npm run grammar` makes this file from them. */

import { type LibraryGraph, libraryGraph } from "./library-graph.ts";

/** A conversation that goes on in its thread, remembers what its user said of themselves, looks things up on the web, and answers questions about a page. chat.md says how. */
export const Chat: LibraryGraph<{
  input: { message: string; page?: string };
  output: { answer: string; sources: string[] };
  state: {
    message: string;
    page: string;
    talk: {
      id?: string;
      role: "system" | "user" | "assistant" | "tool";
      name?: string;
      content: string;
      parts?: {
        type: "text" | "file";
        text?: string;
        mediaType?: string;
        hash?: string;
        url?: string;
        name?: string;
      }[];
      toolCalls?: { id: string; tool: string; input: unknown }[];
      toolCallId?: string;
      isError?: boolean;
    }[];
    answer: string;
    text: string;
    sources: string[];
    learned: { about: string; text: string }[];
  };
  node: "open" | "reply" | "remember";
  model: "talker" | "listener";
  prompt: "reply.prompt" | "reply.system" | "remember.prompt" | "remember.system";
  tool: "web";
}> = libraryGraph("Chat");

/** Writes code for a task, runs it once a person approves, and mends it until it ends well. coder.md says how. */
export const Coder: LibraryGraph<{
  input: { task: string; rounds?: number; summarize?: boolean };
  output: {
    answer: string;
    outcome: { exitCode: number; blocks: number; text: string };
    report: string;
  };
  state: {
    task: string;
    rounds: number;
    summarize: boolean;
    answer: string;
    outcome: { exitCode: number; blocks: number; text: string };
    report: string;
  };
  node: "write" | "execute" | "tell";
  model: "coder";
  prompt: "write.prompt" | "write.system" | "tell.prompt" | "tell.system";
  tool: "code";
}> = libraryGraph("Coder");

/** Sides argue in rounds, each having read all of the rounds before; a judge decides. debate.md says how. */
export const Debate: LibraryGraph<{
  input: { question: string; sides: string[]; rounds?: number };
  output: { arguments: string[]; winner: string; reason: string };
  state: {
    question: string;
    sides: string[];
    rounds: number;
    arguments: string[];
    winner: string;
    reason: string;
  };
  node: "speak" | "decide";
  model: "judge" | "debater" | "DebateRound.debater";
  prompt: "decide.prompt" | "decide.system";
  tool: never;
}> = libraryGraph("Debate");

/** Splits a question, searches the documents for each part, keeps only quotes that really stand in their file, and writes a report that cites them. Both models are `rules`; deep-search.md says how to run it with live ones. */
export const DeepSearch: LibraryGraph<{
  input: { question: string; width?: number };
  output: {
    findings: { package: string; file: string; heading: string; quote: string; score: number }[];
    report: string;
  };
  state: {
    question: string;
    width: number;
    tasks: { query: string; why: string }[];
    findings: { package: string; file: string; heading: string; quote: string; score: number }[];
    report: string;
  };
  node: "plan" | "search" | "verify" | "write";
  model: "smart" | "fast";
  prompt:
    | "plan.prompt"
    | "plan.system"
    | "search.prompt"
    | "search.system"
    | "write.prompt"
    | "write.system";
  tool: "docs";
}> = libraryGraph("DeepSearch");

/** Chat first; what needs more is planned as Eko's XML, confirmed by a person, done by agents side by side, and planned anew where a check finds that it must be. eko.md says how. */
export const Eko: LibraryGraph<{
  input: { task: string; mode?: "normal" | "expert"; replans?: number };
  output: {
    answer: string;
    plan: {
      steps: {
        id: string;
        title: string;
        details: string;
        agent?: string;
        tool?: string;
        depends?: string[];
        when?: string;
        repeat?: string;
        notes?: unknown[];
      }[];
      name?: string;
      task?: string;
      summary?: string;
      thought?: string;
      version?: number;
    };
    results: unknown;
  };
  state: {
    task: string;
    mode: "normal" | "expert";
    replans: number;
    answer: string;
    xml: string;
    plan: {
      steps: {
        id: string;
        title: string;
        details: string;
        agent?: string;
        tool?: string;
        depends?: string[];
        when?: string;
        repeat?: string;
        notes?: unknown[];
      }[];
      name?: string;
      task?: string;
      summary?: string;
      thought?: string;
      version?: number;
    };
    verdict: boolean | string;
    results: unknown;
    check: { thought: string; isWrong: boolean };
  };
  node: "chat" | "planning_it" | "confirm" | "Browser" | "Writer" | "go" | "check_it" | "conclude";
  model: "talker" | "planner" | "worker" | "checker";
  prompt:
    | "chat.prompt"
    | "chat.system"
    | "planning_it.prompt"
    | "planning_it.system"
    | "Browser.prompt"
    | "Browser.system"
    | "Writer.prompt"
    | "Writer.system"
    | "check_it.prompt"
    | "check_it.system"
    | "conclude.prompt"
    | "conclude.system";
  tool: "web";
}> = libraryGraph("Eko");

/** One agent that finds and reads files of this folder. file-surfer.md says how. */
export const FileSurfer: LibraryGraph<{
  input: { task: string };
  output: { report: string };
  state: { task: string; report: string };
  node: "read";
  model: "reader";
  prompt: "read.prompt" | "read.system";
  tool: "folder";
}> = libraryGraph("FileSurfer");

/** Says what is worth knowing next time of a run that has been, and proposes it. learn.md says how. */
export const Learn: LibraryGraph<{
  input: {
    task: string;
    story: string;
    plan?: {
      steps: {
        id: string;
        title: string;
        details: string;
        agent?: string;
        tool?: string;
        depends?: string[];
        when?: string;
        repeat?: string;
        notes?: unknown[];
      }[];
      name?: string;
      task?: string;
      summary?: string;
      thought?: string;
      version?: number;
    };
  };
  output: { lessons: string[] };
  state: {
    task: string;
    story: string;
    plan: {
      steps: {
        id: string;
        title: string;
        details: string;
        agent?: string;
        tool?: string;
        depends?: string[];
        when?: string;
        repeat?: string;
        notes?: unknown[];
      }[];
      name?: string;
      task?: string;
      summary?: string;
      thought?: string;
      version?: number;
    };
    lessons: string[];
  };
  node: "note";
  model: "learner";
  prompt: "note.prompt" | "note.system";
  tool: never;
}> = libraryGraph("Learn");

/** Plans a task, has a person review the plan, has agents carry it out under a ledger, plans anew where that is needed, and answers. magentic.md says how. */
export const Magentic: LibraryGraph<{
  input: {
    task: string;
    given?: {
      steps: {
        id: string;
        title: string;
        details: string;
        agent?: string;
        tool?: string;
        depends?: string[];
        when?: string;
        repeat?: string;
        notes?: unknown[];
      }[];
      name?: string;
      task?: string;
      summary?: string;
      thought?: string;
      version?: number;
    };
    isAccepted?: boolean;
    cooperative?: boolean;
    autonomous?: boolean;
    without?: string[];
    sites?: string[];
    approval?: "always" | "never" | "conservative" | "permissive";
    search?: boolean;
    recalling?: "never" | "hint" | "reuse";
    learns?: boolean;
    replansMax?: number;
    roundsMax?: number;
    stopAt?: string;
    finalPrompt?: string;
  };
  output: {
    found: { step: string; by: string; text: string }[];
    plan: {
      steps: {
        id: string;
        title: string;
        details: string;
        agent?: string;
        tool?: string;
        depends?: string[];
        when?: string;
        repeat?: string;
        notes?: unknown[];
      }[];
      name?: string;
      task?: string;
      summary?: string;
      thought?: string;
      version?: number;
    };
    why: string;
    source: string;
    answer: string;
  };
  state: {
    task: string;
    given?: {
      steps: {
        id: string;
        title: string;
        details: string;
        agent?: string;
        tool?: string;
        depends?: string[];
        when?: string;
        repeat?: string;
        notes?: unknown[];
      }[];
      name?: string;
      task?: string;
      summary?: string;
      thought?: string;
      version?: number;
    };
    isAccepted: boolean;
    cooperative: boolean;
    autonomous: boolean;
    without: string[];
    sites: string[];
    approval: "always" | "never" | "conservative" | "permissive";
    search: boolean;
    recalling: "never" | "hint" | "reuse";
    learns: boolean;
    replansMax: number;
    roundsMax: number;
    stopAt: string;
    finalPrompt: string;
    talk: {
      id?: string;
      role: "system" | "user" | "assistant" | "tool";
      name?: string;
      content: string;
      parts?: {
        type: "text" | "file";
        text?: string;
        mediaType?: string;
        hash?: string;
        url?: string;
        name?: string;
      }[];
      toolCalls?: { id: string; tool: string; input: unknown }[];
      toolCallId?: string;
      isError?: boolean;
    }[];
    found: { step: string; by: string; text: string }[];
    absent: string[];
    plan: {
      steps: {
        id: string;
        title: string;
        details: string;
        agent?: string;
        tool?: string;
        depends?: string[];
        when?: string;
        repeat?: string;
        notes?: unknown[];
      }[];
      name?: string;
      task?: string;
      summary?: string;
      thought?: string;
      version?: number;
    };
    remembered: {
      task: string;
      summary: string;
      steps: {
        id: string;
        title: string;
        details: string;
        agent?: string;
        tool?: string;
        depends?: string[];
        when?: string;
        repeat?: string;
        notes?: unknown[];
      }[];
    }[];
    hits: unknown[];
    pages: string[];
    draft: {
      kind: "plan" | "answer" | "question";
      response: string;
      source: "web" | "own knowledge" | "none";
      summary: string;
      steps: {
        id: string;
        title: string;
        details: string;
        agent?: string;
        tool?: string;
        depends?: string[];
        when?: string;
        repeat?: string;
        notes?: unknown[];
      }[];
    };
    verdict: boolean | string;
    reason: string;
    at: number;
    isNew: boolean;
    replans: number;
    ledger: {
      isDone: boolean;
      needsReplan: boolean;
      reason: string;
      progress: string;
      instruction: string;
      next: "web_surfer" | "coder_agent" | "file_surfer" | "mcp_agent" | "user" | "nobody";
    };
    why: string;
    source: string;
    answer: string;
    learned: {
      task: string;
      summary: string;
      steps: {
        id: string;
        title: string;
        details: string;
        agent?: string;
        tool?: string;
        depends?: string[];
        when?: string;
        repeat?: string;
        notes?: unknown[];
      }[];
    };
  };
  node:
    | "look_up"
    | "search_web"
    | "open_page"
    | "planner"
    | "clarify"
    | "review"
    | "track"
    | "web_surfer"
    | "coder_agent"
    | "file_surfer"
    | "mcp_agent"
    | "user"
    | "watch"
    | "finish"
    | "learn";
  model: "orchestrator" | "surfer" | "programmer" | "reader" | "caller" | "learner";
  prompt:
    | "planner.prompt"
    | "planner.system"
    | "track.prompt"
    | "track.system"
    | "web_surfer.prompt"
    | "web_surfer.system"
    | "coder_agent.prompt"
    | "coder_agent.system"
    | "file_surfer.prompt"
    | "file_surfer.system"
    | "mcp_agent.prompt"
    | "mcp_agent.system"
    | "finish.prompt"
    | "finish.system"
    | "learn.prompt"
    | "learn.system";
  tool: "browser" | "code" | "folder" | "kit" | "web";
}> = libraryGraph("Magentic");

/** Does the same with each of many items, side by side, and puts the results together, in rounds where they are many. */
export const MapReduce: LibraryGraph<{
  input: { task: string; items: string[]; size?: number };
  output: { results: string[]; answer: string };
  state: { task: string; items: string[]; size: number; results: string[]; answer: string };
  node: "map_item" | "reduced";
  model: "mapper" | "reducer" | "Reduced.reducer";
  prompt: "map_item.prompt" | "map_item.system";
  tool: never;
}> = libraryGraph("MapReduce");

/** Plays the person of a task, so that a run that asks somebody can be tried without anybody. persona.md says how. */
export const Persona: LibraryGraph<{
  input: {
    task: string;
    question: string;
    shown?: unknown;
    choices?: unknown[];
    hints?: string;
    answer?: string;
    round?: number;
    patience?: number;
  };
  output: { does: "yes" | "no" | "say"; text: string };
  state: {
    task: string;
    question: string;
    shown: unknown;
    choices: unknown[];
    hints: string;
    answer: string;
    round: number;
    patience: number;
    does: "yes" | "no" | "say";
    text: string;
  };
  node: "play";
  model: "player";
  prompt: "play.prompt" | "play.system";
  tool: never;
}> = libraryGraph("Persona");

/** A planner says what is to be built, code is written and run once a person approves, a reviewer accepts it or not. plan-code-review.md says how. */
export const PlanCodeReview: LibraryGraph<{
  input: { task: string; rounds?: number };
  output: { answer: string; report: string; review: { isAccepted: boolean; findings: string[] } };
  state: {
    task: string;
    rounds: number;
    plan: string;
    answer: string;
    report: string;
    outcome: { exitCode: number; blocks: number; text: string };
    review: { isAccepted: boolean; findings: string[] };
  };
  node: "decide" | "code" | "check";
  model: "planner" | "reviewer" | "coder" | "Coder.coder";
  prompt: "decide.prompt" | "decide.system" | "check.prompt" | "check.system";
  tool: "code";
}> = libraryGraph("PlanCodeReview");

/** Plans a task as steps for workers, who go side by side where they can, and puts their results together. */
export const PlanWorkReduce: LibraryGraph<{
  input: { task: string };
  output: {
    plan: {
      steps: {
        id: string;
        title: string;
        details: string;
        agent?: string;
        tool?: string;
        depends?: string[];
        when?: string;
        repeat?: string;
        notes?: unknown[];
      }[];
      name?: string;
      task?: string;
      summary?: string;
      thought?: string;
      version?: number;
    };
    results: unknown;
    report: string;
  };
  state: {
    task: string;
    plan: {
      steps: {
        id: string;
        title: string;
        details: string;
        agent?: string;
        tool?: string;
        depends?: string[];
        when?: string;
        repeat?: string;
        notes?: unknown[];
      }[];
      name?: string;
      task?: string;
      summary?: string;
      thought?: string;
      version?: number;
    };
    results: unknown;
    report: string;
  };
  node: "decide" | "work" | "go" | "conclude";
  model: "planner" | "worker" | "reducer";
  prompt:
    | "decide.prompt"
    | "decide.system"
    | "work.prompt"
    | "work.system"
    | "conclude.prompt"
    | "conclude.system";
  tool: never;
}> = libraryGraph("PlanWorkReduce");

/** One finds facts, one finds fault with them until nothing is left to find, one writes. research-critique.md says how. */
export const ResearchCritique: LibraryGraph<{
  input: { question: string; rounds?: number };
  output: {
    facts: { text: string; source: string }[];
    critique: { isEnough: boolean; missing: string[] };
    report: string;
  };
  state: {
    question: string;
    rounds: number;
    facts: { text: string; source: string }[];
    critique: { isEnough: boolean; missing: string[] };
    report: string;
  };
  node: "research" | "criticize" | "write";
  model: "researcher" | "critic" | "writer";
  prompt:
    | "research.prompt"
    | "research.system"
    | "criticize.prompt"
    | "criticize.system"
    | "write.prompt"
    | "write.system";
  tool: "docs";
}> = libraryGraph("ResearchCritique");

/** A web surfer and the person take turns, until the person has what they want. round-robin.md says how. */
export const RoundRobin: LibraryGraph<{
  input: { task: string; turns?: number };
  output: {
    talk: {
      id?: string;
      role: "system" | "user" | "assistant" | "tool";
      name?: string;
      content: string;
      parts?: {
        type: "text" | "file";
        text?: string;
        mediaType?: string;
        hash?: string;
        url?: string;
        name?: string;
      }[];
      toolCalls?: { id: string; tool: string; input: unknown }[];
      toolCallId?: string;
      isError?: boolean;
    }[];
    answer: string;
  };
  state: {
    task: string;
    turns: number;
    talk: {
      id?: string;
      role: "system" | "user" | "assistant" | "tool";
      name?: string;
      content: string;
      parts?: {
        type: "text" | "file";
        text?: string;
        mediaType?: string;
        hash?: string;
        url?: string;
        name?: string;
      }[];
      toolCalls?: { id: string; tool: string; input: unknown }[];
      toolCallId?: string;
      isError?: boolean;
    }[];
    wish: string;
    answer: string;
  };
  node: "surf" | "person";
  model: "surfer";
  prompt: "surf.prompt" | "surf.system";
  tool: "browser" | "web";
}> = libraryGraph("RoundRobin");

/** Roles over one shared state: a router chooses who acts, plans or analyses next, until the task is done. routed.md says how. */
export const Routed: LibraryGraph<{
  input: { description: string; goal: string; rules?: string };
  output: { observation: string[]; status: "in progress" | "completed"; errors: string[] };
  state: {
    description: string;
    goal: string;
    rules: string;
    plan: string[];
    step: number;
    observation: string[];
    status: "in progress" | "completed";
    errors: string[];
  };
  node: "route" | "planning" | "acting" | "analysing";
  model: "router" | "planner" | "actor" | "analyst";
  prompt:
    | "route.prompt"
    | "route.system"
    | "planning.prompt"
    | "planning.system"
    | "acting.prompt"
    | "acting.system"
    | "analysing.prompt"
    | "analysing.system";
  tool: never;
}> = libraryGraph("Routed");

/** Looks again and again until a condition that is said in words holds. sentinel.md says how. */
export const Sentinel: LibraryGraph<{
  input: { task: string; condition: string };
  output: { seen: string };
  state: { task: string; condition: string; seen: string };
  node: "watch";
  model: "watcher" | "judge";
  prompt: "watch.prompt" | "watch.system";
  tool: "web";
}> = libraryGraph("Sentinel");

/** One agent that searches the web, reads pages and uses them in a browser. web-surfer.md says how. */
export const WebSurfer: LibraryGraph<{
  input: { task: string; sites?: string[] };
  output: { report: string };
  state: { task: string; sites: string[]; report: string };
  node: "surf";
  model: "surfer";
  prompt: "surf.prompt" | "surf.system";
  tool: "browser" | "web";
}> = libraryGraph("WebSurfer");
