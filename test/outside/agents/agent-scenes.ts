/** The scenes that real strong agents play: what their model says, what is asked of the controller, and what must follow. */
import type { Controller, ControllerEvent, StartRequest } from "../../../runtime/index.ts";
import type { ServedRequest, ServerMove } from "../../support/providers/protocol-server.ts";

export interface ScenePlace {
  /** Makes one with these options beside those of its scene. */
  readonly controller: (options?: Readonly<Record<string, unknown>>) => Controller;
  /** The requests that its model got. */
  readonly turns: readonly ServedRequest[];
  /** Resolves when its model has been asked so often. */
  readonly asked: (count?: number) => Promise<void>;
  /** Kills its processes. */
  readonly kill: () => void;
  /** A file of its folder. */
  readonly read: (file: string) => string | undefined;
}

export interface AgentScene {
  readonly title: string;
  /** Options of its controller beside those that all have. */
  readonly options?: Readonly<Record<string, unknown>>;
  /** The model's move, by the request and its number. */
  readonly moves: (request: ServedRequest, number: number, folder: string) => ServerMove;
  /** The faults that were found. */
  readonly play: (place: ScenePlace) => Promise<string | undefined>;
}

const request: StartRequest = {
  ...{ key: "run/1/1", runId: "run", nodeRunId: "run/1", attempt: 1, operator: "code" },
  ...{ instruction: "Say the word ALPHA.", stateView: {}, inbox: [], artifacts: [], skills: [] },
  ...{ session: "new", tools: [] },
};

type OnEvent = (event: ControllerEvent) => Promise<void> | void;

/** Plays a turn to its end. */
export async function turn(
  controller: Controller,
  of: Partial<StartRequest> & { readonly sessionId?: string } = {},
  on: (controller: Controller, handle: { sessionId: string; turn: number }) => OnEvent = () =>
    () => {},
) {
  const { sessionId, ...more } = of;
  const asked = { ...request, ...more };
  const handle =
    sessionId === undefined
      ? await controller.start(asked)
      : await controller.resume({ ...asked, sessionId });
  const events: ControllerEvent[] = [];
  const listen = on(controller, handle);
  for await (const chunk of controller.stream(handle))
    for (const event of chunk.events) {
      events.push(event);
      await listen(event);
    }
  return { handle, events, last: events.at(-1) };
}

/** The last event of a turn, or the failure by which it did not even begin. */
export async function lastOf(controller: Controller): Promise<ControllerEvent | undefined> {
  return await turn(controller).then(
    ({ last }) => last,
    (thrown) => ({ kind: "failed" as const, ...thrown.failure }),
  );
}

export const text = (words: string): ServerMove => ({ kind: "answer", answer: { text: words } });
export const call = (name: string, input: unknown): ServerMove => ({
  kind: "answer",
  answer: { calls: [{ id: "toolu_1", name, input }] },
});
const show = (value: unknown) => JSON.stringify(value)?.slice(0, 4000);
export const unless = (isRight: boolean, seen: unknown) => (isRight ? undefined : show(seen));

const TALKS: AgentScene = {
  title: "a turn begins, is said in pieces and whole, and completes",
  moves: () => text("done with it"),
  play: async ({ controller }) => {
    const { events, last } = await turn(controller());
    const kinds = new Set(events.map(({ kind }) => kind));
    const isWhole = ["session_started", "message_delta", "message_completed"].every((kind) =>
      kinds.has(kind as ControllerEvent["kind"]),
    );
    return unless(isWhole && last?.kind === "completed" && last.text === "done with it", events);
  },
};

const RESUMES: AgentScene = {
  title: "the next turn, by the id that was observed, knows what was said",
  moves: () => text("done"),
  play: async ({ controller, turns }) => {
    const first = await turn(controller());
    const { sessionId } = first.handle;
    const next = await turn(controller(), { sessionId, instruction: "Say BETA." });
    const texts = turns.at(-1)?.texts.join("\n") ?? "";
    const isKnown = texts.includes("ALPHA") && texts.includes("BETA");
    return unless(isKnown && next.handle.sessionId === sessionId, { texts, next: next.events });
  },
};

const UNKNOWN: AgentScene = {
  title: "a session that it does not know is M8503",
  moves: () => text("done"),
  play: async ({ controller }) => {
    const sessionId = "0199aaaa-0000-7000-8000-000000000000";
    const failed = await turn(controller(), { sessionId }).then(
      () => undefined,
      (thrown) => thrown.failure,
    );
    return unless(failed?.code === "M8503", failed);
  },
};

const INTERRUPTED: AgentScene = {
  title: "an interrupted turn ends within 2 s as aborted, and the session takes its next one",
  moves: (_, number) =>
    number === 0 ? { kind: "stuck", answer: { text: "I begin and go on" } } : text("done"),
  play: async ({ controller, asked }) => {
    const stopped = Promise.withResolvers<number>();
    const { handle, last } = await turn(controller(), {}, (of, started) => {
      void asked().then(async () => {
        const from = performance.now();
        await of.interrupt(started);
        stopped.resolve(performance.now() - from);
      });
      return () => {};
    });
    const tookMs = await stopped.promise;
    const next = await turn(controller(), { sessionId: handle.sessionId });
    const isAborted = last?.kind === "failed" && last.class === "aborted" && tookMs < 2000;
    return unless(isAborted && next.last?.kind === "completed", [last, tookMs, next.last]);
  },
};

function fails(status: number, of: string): AgentScene {
  return {
    title: `a model that answers ${status} is a failure of class ${of}`,
    moves: () => ({ kind: "status", status, message: `no (${status})` }),
    play: async ({ controller }) => {
      const { last } = await turn(controller());
      return unless(last?.kind === "failed" && last.class === of, last);
    },
  };
}

export const HALF_ANSWER = "half of it and more";
export const half = (): ServerMove => ({
  ...{ kind: "half", answer: { text: HALF_ANSWER }, isDropped: true },
});

const HALF: AgentScene = {
  title: "half a stream of its model is no answer",
  moves: half,
  play: async ({ controller }) => {
    const { last } = await turn(controller());
    return unless(last?.kind === "failed", last);
  },
};

export const SCHEMA = {
  type: "object",
  properties: { ok: { type: "boolean" } },
  required: ["ok"],
  additionalProperties: false,
};

function writes(
  title: string,
  decision: "approve" | "deny",
  input?: (folder: string) => unknown,
): AgentScene {
  let folder = "";
  return {
    title,
    moves: ({ results }, _, where) => {
      folder = where;
      if (results.length > 0) return text("done");
      return call("Write", { file_path: `${where}/note.txt`, content: "its own words" });
    },
    play: async ({ controller, read }) => {
      const { events, last } = await turn(controller(), {}, (of, handle) => async (event) => {
        if (event.kind !== "approval_requested") return;
        const { approvalId } = event;
        const other = input === undefined ? {} : { input: input(folder) };
        await of.answer(handle, { approvalId, decision, ...other });
      });
      const wanted =
        decision === "deny" ? undefined : input === undefined ? "its own words" : "other words";
      const result = events.find((event) => event.kind === "tool_result");
      const isDenied = (result?.isDenied ?? false) === (decision === "deny");
      return unless(
        read("note.txt") === wanted && isDenied && last?.kind === "completed",
        events.slice(1),
      );
    },
  };
}

const STRUCTURED: AgentScene = {
  title: "an answer by a schema is the output",
  moves: ({ results }) =>
    results.length > 0 ? text("done") : call("StructuredOutput", { ok: true }),
  play: async ({ controller }) => {
    const { last } = await turn(controller(), { outputSchema: SCHEMA });
    return unless(last?.kind === "completed" && show(last.output) === '{"ok":true}', last);
  },
};

const FORKS: AgentScene = {
  title: "a session that went on is forked where it stood",
  moves: () => text("done"),
  play: async ({ controller, turns }) => {
    const of = controller();
    const { handle } = await turn(of);
    const snapshot = await of.snapshot(handle);
    await turn(of, { sessionId: handle.sessionId, instruction: "Say BETA." });
    const { sessionId } = await of.restore(snapshot);
    const { events } = await turn(of, { sessionId, instruction: "Say GAMMA." });
    const texts = turns.at(-1)?.texts.join("\n") ?? "";
    const isForked = texts.includes("ALPHA") && texts.includes("GAMMA") && !texts.includes("BETA");
    const started = events.find((event) => event.kind === "session_started");
    return unless(isForked && started?.sessionId === sessionId, { texts, started, sessionId });
  },
};

export const NO_FORK: AgentScene = {
  title: "a session that went on is not forked: it goes on as it is",
  moves: () => text("done"),
  play: async ({ controller, turns }) => {
    const of = controller();
    const { handle } = await turn(of);
    const snapshot = await of.snapshot(handle);
    await turn(of, { sessionId: handle.sessionId, instruction: "Say BETA." });
    const { sessionId } = await of.restore(snapshot);
    await turn(of, { sessionId, instruction: "Say GAMMA." });
    const texts = turns.at(-1)?.texts.join("\n") ?? "";
    const isWhole = ["ALPHA", "BETA", "GAMMA"].every((word) => texts.includes(word));
    return unless(isWhole && sessionId === handle.sessionId, { texts, sessionId });
  },
};

const STATE: AgentScene = {
  title: "it writes the state by the run's own server",
  moves: ({ results }) =>
    results.length > 0
      ? text("done")
      : call("mcp__madrigal__write_state", { field: "count", value: 3 }),
  play: async ({ controller }) => {
    const { events } = await turn(controller(), { writes: { count: { type: "integer" } } });
    const hint = events.find((event) => event.kind === "state_hint");
    return unless(show(hint?.patch) === '{"count":3}', events);
  },
};

const ASKS_USER: AgentScene = {
  title: "its question to its user is one to a person",
  moves: ({ results }) =>
    results.length > 0
      ? text("done")
      : call("AskUserQuestion", {
          questions: [
            {
              ...{ question: "Which one?", header: "One", multiSelect: false },
              options: [
                { label: "red", description: "r" },
                { label: "blue", description: "b" },
              ],
            },
          ],
        }),
  play: async ({ controller, turns }) => {
    const { events } = await turn(controller(), {}, (of, handle) => async (event) => {
      if (event.kind === "input_requested")
        await of.answer(handle, { approvalId: event.inputId, decision: "approve", input: "blue" });
    });
    const told = turns.at(-1)?.results.join("\n") ?? "";
    return unless(told.includes("blue"), { told, events });
  },
};

const LATE: AgentScene = {
  title: "a turn that takes longer than it may ends as class timeout",
  options: { timeoutMs: 3000 },
  moves: () => ({ kind: "stuck", answer: { text: "I begin and go on" } }),
  play: async ({ controller }) => {
    // On a busy machine its session has not begun by then.
    const last = await lastOf(controller());
    return unless(last?.kind === "failed" && last.class === "timeout", last);
  },
};

/** `takesNext`: whether the session has its next turn at once. */
export function killed(title: string, takesNext: boolean): AgentScene {
  return {
    title,
    moves: (_, number) =>
      number === 1 ? { kind: "stuck", answer: { text: "I begin and go on" } } : text("done"),
    play: async ({ controller, asked, kill }) => {
      const of = controller();
      // A session is kept by its agent once it has answered.
      const { handle: first } = await turn(of);
      const handle = await of.resume({ ...request, sessionId: first.sessionId });
      void asked(2).then(kill);
      const lost = await (async () => {
        for await (const _ of of.stream(handle));
      })().then(
        () => undefined,
        (thrown) => thrown.failure,
      );
      if (!takesNext) return unless(lost?.code === "M8502", lost);
      const next = await turn(controller(), { sessionId: handle.sessionId });
      return unless(lost?.code === "M8502" && next.last?.kind === "completed", [lost, next.events]);
    },
  };
}

/** Those that each agent plays. */
export const COMMON: readonly AgentScene[] = [
  ...[TALKS, RESUMES, UNKNOWN, INTERRUPTED, LATE],
  fails(401, "model"),
];

const ALIKE = [
  ...COMMON,
  killed("an agent that is killed is lost (M8502), and its session takes the next turn", true),
  ...[HALF, fails(429, "transport"), fails(500, "transport")],
];

export const CLAUDE_SCENES: readonly AgentScene[] = [
  ...ALIKE,
  writes("a call is made after a yes", "approve"),
  writes("a call is not made after a no", "deny"),
  writes("a call is made with the input that a person gives", "approve", (folder) => ({
    file_path: `${folder}/note.txt`,
    content: "other words",
  })),
  ...[STRUCTURED, FORKS, STATE, ASKS_USER],
];

const ANSWERS_JSON: AgentScene = {
  title: "an answer by a schema is asked for and told",
  moves: () => text('{"ok":true}'),
  play: async ({ controller, turns }) => {
    const { last } = await turn(controller(), { outputSchema: SCHEMA });
    const isAsked = show(turns[0]?.schema)?.includes('"ok"') === true;
    return unless(isAsked && last?.kind === "completed" && last.text === '{"ok":true}', [
      turns[0]?.schema,
      last,
    ]);
  },
};

/** An answer beside a yes or no. */
interface CallAnswer extends Pick<AgentScene, "options"> {
  readonly input?: Readonly<Record<string, unknown>>;
  /** Set unless the agent can't be told of the input. */
  readonly isTold?: boolean;
}

/** A command that the agent asks leave for. */
export function runs(
  title: string,
  decision: "approve" | "deny",
  asks: (folder: string) => ServerMove,
  { input, options, isTold = input !== undefined }: CallAnswer = {},
): AgentScene {
  return {
    title,
    ...(options === undefined ? {} : { options }),
    moves: ({ results }, _, where) => (results.length > 0 ? text("done") : asks(where)),
    play: async ({ controller, read, turns }) => {
      let askedCount = 0;
      const { events, last } = await turn(controller(), {}, (of, handle) => async (event) => {
        if (event.kind !== "approval_requested") return;
        askedCount += 1;
        const other = input === undefined ? {} : { input };
        await of.answer(handle, { approvalId: event.approvalId, decision, ...other });
      });
      const isMade = decision === "approve" && input === undefined;
      const words = turns.at(-1)?.texts.join("\n") ?? "";
      const isInputThere = input !== undefined && words.includes(JSON.stringify(input));
      const isRight = askedCount === 1 && (read("note.txt") !== undefined) === isMade;
      return unless(isRight && isInputThere === isTold && last?.kind === "completed", [
        askedCount,
        events,
      ]);
    },
  };
}

const escalates = (folder: string) =>
  call("exec_command", {
    ...{ cmd: `echo words > ${folder}/note.txt`, workdir: folder },
    ...{ sandbox_permissions: "require_escalated", justification: "I need it" },
  });

const CODEX_STATE: AgentScene = {
  title: "it writes the state by the run's own server",
  moves: ({ results }) =>
    results.length > 0
      ? text("done")
      : {
          kind: "answer",
          answer: {
            calls: [
              {
                ...{ id: "call_1", namespace: "mcp__madrigal", name: "write_state" },
                input: { field: "count", value: 3 },
              },
            ],
          },
        },
  play: async ({ controller, turns }) => {
    const { events } = await turn(
      controller(),
      { writes: { count: { type: "integer" } } },
      (of, handle) => async (event) => {
        if (event.kind === "approval_requested")
          await of.answer(handle, { approvalId: event.approvalId, decision: "approve" });
        if (event.kind === "input_requested")
          await of.answer(handle, { approvalId: event.inputId, decision: "approve", input: {} });
      },
    );
    const hint = events.find((event) => event.kind === "state_hint");
    return unless(show(hint?.patch) === '{"count":3}', [events, turns.at(-1)?.results]);
  },
};

const READ_ONLY = { options: { mode: "read-only" } };

export const CODEX_SCENES: readonly AgentScene[] = [
  ...[...ALIKE, NO_FORK, ANSWERS_JSON],
  runs("a call is made after a yes", "approve", escalates, READ_ONLY),
  runs("a call is not made after a no", "deny", escalates, READ_ONLY),
  runs(
    "a call is not made where a person gives another input, which it is told",
    "approve",
    escalates,
    {
      ...READ_ONLY,
      input: { cmd: "echo others" },
    },
  ),
  CODEX_STATE,
];
