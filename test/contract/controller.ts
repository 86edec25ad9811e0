/** What every controller promises. Whoever makes one says how it comes into each scene. */
import { describe, expect, test } from "vitest";
import type {
  Controller,
  ControllerChunk,
  ControllerEvent,
  ResumeRequest,
  SessionHandle,
  StartRequest,
} from "../../runtime/agents/operator/controller.ts";
import { type Failure, FailureError } from "../../runtime/failure.ts";

/**
 * What the agent behind it does in each turn: `talks` says a text; `works` calls a tool, too; `asks` for leave to use
 * one; `hangs` says nothing more; `dies` in the middle, once; `babbles` bytes that mean nothing among the others.
 */
export type Scene = "talks" | "works" | "asks" | "hangs" | "dies" | "babbles";

/** The things that an agent of this kind can say: some tell of no tool calls, and some protocols have no meaningless bytes. */
interface AgentTalk {
  readonly tellsTools?: boolean;
  readonly canBabble?: boolean;
  /** The class of an agent that is gone; `transport` where it is somewhere else. */
  readonly lostAs?: "controller_lost" | "transport";
  /** Absent where nobody can ask which sessions there are: one of an unknown name begins. */
  readonly listsSessions?: boolean;
}

export function controllerContract(
  name: string,
  of: (scene: Scene) => Controller | Promise<Controller>,
  {
    tellsTools = true,
    canBabble = true,
    listsSessions = true,
    lostAs = "controller_lost",
  }: AgentTalk = {},
): void {
  describe(`${name} keeps the contract of controllers`, () => {
    test("a turn begins with its session and ends with completed or failed, once", async () => {
      const babbles = canBabble ? (["babbles"] as const) : [];
      for (const scene of ["talks", "works", ...babbles] as const) {
        const { events } = await turnOf(await of(scene));
        const kinds = events.map(({ kind }) => kind);
        expect(kinds[0]).toBe("session_started");
        expect(kinds.filter((kind) => kind === "completed" || kind === "failed")).toEqual([
          kinds.at(-1),
        ]);
      }
    });

    test("A90 every event but what the controller notes itself comes with its bytes", async () => {
      const { chunks } = await turnOf(await of("works"));
      const silent = chunks.filter(({ raw }) => raw.length === 0).flatMap(({ events }) => events);
      expect(silent.filter(({ kind }) => kind !== "heartbeat")).toEqual([]);
    });

    if (tellsTools)
      test("a tool's result follows its call, under the same name", async () => {
        const { events } = await turnOf(await of("works"));
        const open = new Set<string>();
        for (const event of events) {
          if (event.kind === "tool_call") open.add(event.callId);
          if (event.kind === "tool_result") expect(open.delete(event.callId)).toBe(true);
        }
        expect(open).toEqual(new Set());
        expect(events.some(({ kind }) => kind === "tool_call")).toBe(true);
      });

    test("a session that goes on keeps its name, or tells its new one", async () => {
      const controller = await of("talks");
      const { handle, events } = await turnOf(controller);
      const first = events[0]?.kind === "session_started" ? events[0].sessionId : "";
      expect(first).toBe(handle.sessionId);
      const next = await controller.resume({ ...request, sessionId: first });
      const [started] = await eventsIn(controller, next);
      expect(next.turn).toBe(handle.turn + 1);
      expect(started).toMatchObject({ kind: "session_started", sessionId: next.sessionId });
    });

    test("two sessions have two names", async () => {
      const controller = await of("talks");
      const [one, two] = [await controller.start(request), await controller.start(request)];
      expect(one.sessionId).not.toBe(two.sessionId);
    });

    if (listsSessions)
      test("a session that nobody knows is M8503, class controller_lost", async () => {
        const resumed = (await of("talks")).resume({ ...request, sessionId: "nobody-knows-this" });
        expect(await failureOf(resumed)).toMatchObject({ class: "controller_lost", code: "M8503" });
      });

    test("an interrupted turn ends as aborted, and the session takes its next one", async () => {
      const controller = await of("hangs");
      const handle = await controller.start(request);
      const heard = eventsIn(controller, handle);
      await controller.interrupt(handle);
      await controller.interrupt(handle);
      expect((await heard).at(-1)).toMatchObject({ kind: "failed", class: "aborted" });
      await controller.interrupt(handle);
      const next = await controller.resume({ ...request, sessionId: handle.sessionId });
      expect(next.turn).toBe(handle.turn + 1);
      await controller.interrupt(next);
    });

    test("interrupting a turn that is over changes nothing", async () => {
      const controller = await of("talks");
      const { handle, events } = await turnOf(controller);
      await controller.interrupt(handle);
      const next = await controller.resume({ ...request, sessionId: handle.sessionId });
      expect((await eventsIn(controller, next)).map(({ kind }) => kind)).toEqual(
        events.map(({ kind }) => kind),
      );
    });

    test("what it asks for is not done before it is answered", async () => {
      for (const decision of ["approve", "deny"] as const) {
        const controller = await of("asks");
        if (!controller.capabilities.approvals) return;
        const handle = await controller.start(request);
        const events: ControllerEvent[] = [];
        for await (const chunk of controller.stream(handle)) {
          for (const event of chunk.events) {
            events.push(event);
            if (event.kind !== "approval_requested") continue;
            expect(events.some(({ kind }) => kind === "tool_result")).toBe(false);
            const answer = { approvalId: event.approvalId, decision };
            await controller.answer(handle, answer);
            await controller.answer(handle, answer);
          }
        }
        const result = events.find((event) => event.kind === "tool_result");
        expect(result?.isDenied ?? false).toBe(decision === "deny");
        expect(events.at(-1)?.kind).toBe("completed");
      }
    });

    test("an answer that nobody waits for changes nothing", async () => {
      const controller = await of("talks");
      const { handle } = await turnOf(controller);
      await controller.answer(handle, { approvalId: "none", decision: "approve" });
    });

    if (canBabble)
      test("bytes that mean nothing are kept as a note, and the turn goes on", async () => {
        const { events } = await turnOf(await of("babbles"));
        expect(events.some(({ kind }) => kind === "log")).toBe(true);
        expect(events.at(-1)?.kind).toBe("completed");
      });

    test("an agent that dies rejects the stream with its class and a code", async () => {
      const controller = await of("dies");
      const handle = await controller.start(request);
      const failure = await failureOf(eventsIn(controller, handle));
      expect(failure.class).toBe(lostAs);
      expect(failure.code).toMatch(/^M\d{4}$/);
      expect(failure.message).not.toBe("");
    });

    test("a turn that was cut off goes on and says nothing twice, or is lost", async () => {
      const whole = await turnOf(await of("works"));
      const facts = whole.events.filter(({ kind }) => kind !== "message_delta");
      for (let received = 1; received < facts.length; received += 1) {
        const controller = await of("works");
        const handle = await controller.start(request);
        await firstFacts(controller, handle, received);
        const again = { ...request, sessionId: handle.sessionId, received };
        if (!controller.capabilities.reattach) {
          expect((await failureOf(controller.resume(again))).class).toBe("controller_lost");
          continue;
        }
        if (controller.capabilities.reattach === "asked") {
          await expectAskedToContinue(controller, again);
          continue;
        }
        const rest = await eventsIn(controller, await controller.resume(again));
        expect(rest.filter(({ kind }) => kind !== "message_delta")).toEqual(facts.slice(received));
      }
    });

    test("a snapshot brings a session back to where it stood", async () => {
      const controller = await of("talks");
      if (!controller.capabilities.snapshot) return;
      const { handle } = await turnOf(controller);
      const snapshot = await controller.snapshot(handle);
      for (const facet of controller.capabilities.facets) expect(snapshot).toHaveProperty(facet);
      expect(JSON.parse(JSON.stringify(snapshot))).toEqual(snapshot);
      expect(await controller.restore(snapshot)).toEqual(handle);
      await turnOf(controller, handle.sessionId);
      const restored = await controller.restore(snapshot);
      expect(restored.sessionId).not.toBe(handle.sessionId);
      expect((await controller.resume({ ...request, ...restored })).turn).toBe(handle.turn + 1);
    });

    test("closing twice is closing once, and the session stays", async () => {
      const controller = await of("talks");
      const { handle } = await turnOf(controller);
      await controller.close(handle);
      await controller.close(handle);
      if (!controller.capabilities.resume) return;
      const next = await controller.resume({ ...request, sessionId: handle.sessionId });
      expect(next.turn).toBe(handle.turn + 1);
    });
  });
}

/** A turn that was cut off asks before it acts again; then the same session goes on to an end, or the turn is lost. */
async function expectAskedToContinue(controller: Controller, again: ResumeRequest) {
  for (const decision of ["deny", "approve"] as const) {
    const handle = await controller.resume(again);
    const events: ControllerEvent[] = [];
    for await (const chunk of controller.stream(handle)) {
      events.push(...chunk.events);
      const [event] = chunk.events;
      if (event?.kind === "approval_requested")
        await controller.answer(handle, { approvalId: event.approvalId, decision });
    }
    expect(events[0]).toMatchObject({ kind: "approval_requested", tool: "session.continue" });
    expect(events.at(-1)).toMatchObject(
      decision === "approve" ? { kind: "completed" } : { kind: "failed", class: "controller_lost" },
    );
    const started = events.find((event) => event.kind === "session_started");
    expect(started?.sessionId).toBe(decision === "approve" ? again.sessionId : undefined);
  }
}

/** What an operator would ask for. */
const request: StartRequest = {
  key: "run/1/1",
  runId: "run",
  nodeRunId: "run/1",
  attempt: 1,
  operator: "code",
  instruction: "Do it.",
  stateView: {},
  inbox: [],
  artifacts: [],
  skills: [],
  session: "new",
  tools: [],
};

interface Turn {
  readonly handle: SessionHandle;
  readonly chunks: readonly ControllerChunk[];
  readonly events: readonly ControllerEvent[];
}

/** A whole turn: the first one, or the next one of a session. */
async function turnOf(controller: Controller, sessionId?: string): Promise<Turn> {
  const handle =
    sessionId === undefined
      ? await controller.start(request)
      : await controller.resume({ ...request, sessionId });
  const chunks: ControllerChunk[] = [];
  for await (const chunk of controller.stream(handle)) chunks.push(chunk);
  return { handle, chunks, events: chunks.flatMap(({ events }) => events) };
}

async function eventsIn(controller: Controller, handle: SessionHandle): Promise<ControllerEvent[]> {
  const events: ControllerEvent[] = [];
  for await (const chunk of controller.stream(handle)) events.push(...chunk.events);
  return events;
}

/** Listens until so many events that are no deltas were heard, and leaves. */
async function firstFacts(controller: Controller, handle: SessionHandle, count: number) {
  let heard = 0;
  for await (const { events } of controller.stream(handle)) {
    heard += events.filter(({ kind }) => kind !== "message_delta").length;
    if (heard >= count) return;
  }
}

async function failureOf(work: Promise<unknown>): Promise<Failure> {
  const thrown = await work.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (thrown instanceof FailureError) return thrown.failure;
  throw new Error("it did not fail as it must", { cause: thrown });
}
