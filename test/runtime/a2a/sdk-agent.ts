/** Serves a scripted agent by the protocol's own package, on this machine alone. */
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import type { AgentCard, Message, Task } from "@a2a-js/sdk";
import { Role, TaskState } from "@a2a-js/sdk";
import {
  AgentEvent,
  type AgentExecutor,
  DefaultRequestHandler,
  type ExecutionEventBus,
  InMemoryTaskStore,
  type RequestContext,
} from "@a2a-js/sdk/server";
import {
  agentCardHandler,
  jsonRpcHandler,
  restHandler,
  UserBuilder,
} from "@a2a-js/sdk/server/express";
import express from "express";
import { onTestFinished } from "vitest";

/** One thing that the agent does in a task. */
export type AgentStep =
  | { readonly say: string }
  | { readonly chunk: string; readonly last?: true }
  | {
      readonly file: string;
      readonly text?: string;
      readonly bytes?: Uint8Array;
      readonly data?: unknown;
      readonly url?: string;
    }
  | { readonly ask: string; readonly login?: true }
  | { readonly until: Promise<unknown> }
  | { readonly hang: true }
  | { readonly fail: string }
  | { readonly reject: string }
  | { readonly reply: string }
  | { readonly done: string };

/** Returns the steps by which the agent answers a message. */
export type AgentScript = (heard: {
  readonly text: string;
  readonly data: unknown;
  readonly round: number;
}) => readonly AgentStep[];

export interface SdkAgentOptions {
  readonly script: AgentScript;
  readonly streaming?: boolean;
  readonly legacy?: boolean;
  readonly binding?: "JSONRPC" | "HTTP+JSON";
  readonly token?: string;
  readonly name?: string;
}

export interface SdkAgent {
  readonly url: string;
  /** The messages that came, by their ids. */
  readonly messages: readonly Message[];
  /** The tasks that were cancelled. */
  readonly cancelled: readonly string[];
  /** The paths that were asked for, with methods of JSON-RPC. */
  readonly asked: readonly string[];
  /** Cuts every connection, as a restart does; the tasks go on. */
  cut(): void;
  /** Ends for good. */
  end(): void;
}

export async function sdkAgent({
  script,
  streaming = true,
  legacy = false,
  binding = "JSONRPC",
  token,
  name = "Stub",
}: SdkAgentOptions): Promise<SdkAgent> {
  const messages: Message[] = [];
  const cancelled: string[] = [];
  const asked: string[] = [];
  const app = express();
  const server = app.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const card = cardOf({ name, url, streaming, legacy, binding });
  const executor = executorOf(script, { messages, cancelled });
  const handler = new DefaultRequestHandler(card, new InMemoryTaskStore(), executor);
  const legacyCompat = { enabled: legacy };
  app.use((request, response, next) => {
    asked.push(request.path);
    const isCard = request.path.endsWith(".json");
    if (token !== undefined && !isCard && request.headers.authorization !== `Bearer ${token}`)
      response.status(401).json({ error: "no" });
    else next();
  });
  const cards = agentCardHandler({ agentCardProvider: handler, legacyCompat });
  app.use("/.well-known/agent-card.json", cards);
  const how = { requestHandler: handler, userBuilder: UserBuilder.noAuthentication, legacyCompat };
  app.use("/rest", restHandler(how));
  app.use("/", jsonRpcHandler(how));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const end = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url, messages, cancelled, asked, cut: () => server.closeAllConnections(), end };
}

function cardOf(of: {
  name: string;
  url: string;
  streaming: boolean;
  legacy: boolean;
  binding: string;
}): AgentCard {
  const { name, url, streaming, legacy, binding } = of;
  const at = binding === "JSONRPC" ? url : `${url}/rest`;
  const own = {
    url: at,
    protocolBinding: binding,
    tenant: "",
    protocolVersion: legacy ? "0.3" : "1.0",
  };
  return {
    name,
    description: "a scripted agent",
    supportedInterfaces: [own],
    provider: undefined,
    version: "1",
    capabilities: { streaming, pushNotifications: false, extensions: [] },
    securitySchemes: {},
    securityRequirements: [],
    defaultInputModes: ["text/plain"],
    defaultOutputModes: ["text/plain"],
    skills: [
      {
        ...{ id: "talk", name: "talk", description: "talks", tags: [], examples: [] },
        ...{ inputModes: [], outputModes: [], securityRequirements: [] },
      },
    ],
    signatures: [],
  };
}

function executorOf(
  script: AgentScript,
  kept: { messages: Message[]; cancelled: string[] },
): AgentExecutor {
  const hanging = new Map<string, () => void>();
  const rounds = new Map<string, number>();
  return {
    execute: async (context, bus) => {
      const { taskId, userMessage, task } = context;
      kept.messages.push(userMessage);
      const round = (rounds.get(taskId) ?? 0) + 1;
      rounds.set(taskId, round);
      const texts = userMessage.parts.flatMap(({ content }) =>
        content?.$case === "text" ? [content.value] : [],
      );
      const data = userMessage.parts.find(({ content }) => content?.$case === "data")?.content
        ?.value;
      const steps = script({ text: texts.join(""), data, round });
      const plays = new Playing(context, bus);
      if (!steps.some((step) => "reply" in step)) plays.task(task);
      for (const step of steps) {
        if ("hang" in step) await new Promise<void>((resolve) => hanging.set(taskId, resolve));
        else await plays.step(step);
      }
    },
    cancelTask: async (taskId, bus) => {
      kept.cancelled.push(taskId);
      bus.publish(
        AgentEvent.statusUpdate({
          taskId,
          contextId: "",
          status: {
            state: TaskState.TASK_STATE_CANCELED,
            message: undefined,
            timestamp: undefined,
          },
          metadata: undefined,
        }),
      );
      hanging.get(taskId)?.();
    },
  };
}

/** Publishes the steps of one task. */
class Playing {
  readonly #context: RequestContext;
  readonly #bus: ExecutionEventBus;
  #said = 0;

  constructor(context: RequestContext, bus: ExecutionEventBus) {
    this.#context = context;
    this.#bus = bus;
  }

  /** Each answer of the protocol begins with the task as it stands. */
  task(known: Task | undefined): void {
    if (known !== undefined) {
      const status = {
        state: TaskState.TASK_STATE_WORKING,
        message: undefined,
        timestamp: undefined,
      };
      this.#bus.publish(AgentEvent.task({ ...known, status }));
      return;
    }
    const { taskId: id, contextId, userMessage } = this.#context;
    const status = {
      state: TaskState.TASK_STATE_SUBMITTED,
      message: undefined,
      timestamp: undefined,
    };
    const task: Task = {
      id,
      contextId,
      status,
      artifacts: [],
      history: [userMessage],
      metadata: undefined,
    };
    this.#bus.publish(AgentEvent.task(task));
  }

  async step(step: AgentStep): Promise<void> {
    if ("until" in step) await step.until;
    else if ("say" in step) this.#status(TaskState.TASK_STATE_WORKING, step.say);
    else if ("chunk" in step)
      this.#piece("answer", [{ $case: "text", value: step.chunk }], {
        append: true,
        last: step.last === true,
      });
    else if ("file" in step)
      this.#piece(step.file, [contentOf(step)], { append: false, last: true });
    else if ("ask" in step)
      this.#status(
        step.login ? TaskState.TASK_STATE_AUTH_REQUIRED : TaskState.TASK_STATE_INPUT_REQUIRED,
        step.ask,
      );
    else if ("fail" in step) this.#status(TaskState.TASK_STATE_FAILED, step.fail);
    else if ("reject" in step) this.#status(TaskState.TASK_STATE_REJECTED, step.reject);
    else if ("reply" in step) this.#bus.publish(AgentEvent.message(this.#message(step.reply, "")));
    else if ("done" in step) this.#status(TaskState.TASK_STATE_COMPLETED, step.done);
  }

  #message(text: string, taskId: string): Message {
    this.#said += 1;
    return {
      messageId: `${this.#context.taskId}-${this.#context.userMessage.messageId}-${this.#said}`,
      contextId: this.#context.contextId,
      taskId,
      role: Role.ROLE_AGENT,
      parts: [
        {
          content: { $case: "text", value: text },
          metadata: undefined,
          filename: "",
          mediaType: "",
        },
      ],
      metadata: undefined,
      extensions: [],
      referenceTaskIds: [],
    };
  }

  #status(state: TaskState, text: string): void {
    const { taskId, contextId } = this.#context;
    const message = text === "" ? undefined : this.#message(text, taskId);
    const status = { state, message, timestamp: undefined };
    this.#bus.publish(AgentEvent.statusUpdate({ taskId, contextId, status, metadata: undefined }));
  }

  #piece(
    name: string,
    contents: readonly Content[],
    { append, last }: { append: boolean; last: boolean },
  ): void {
    const { taskId, contextId } = this.#context;
    const parts = contents.map((content) => ({
      content,
      metadata: undefined,
      filename: "",
      mediaType: "",
    }));
    this.#bus.publish(
      AgentEvent.artifactUpdate({
        ...{ taskId, contextId, append, lastChunk: last, metadata: undefined },
        artifact: {
          artifactId: name,
          name,
          description: "",
          parts,
          metadata: undefined,
          extensions: [],
        },
      }),
    );
  }
}

type Content = NonNullable<Message["parts"][number]["content"]>;

function contentOf({
  text,
  bytes,
  data,
  url,
}: Extract<AgentStep, { readonly file: string }>): Content {
  if (text !== undefined) return { $case: "text", value: text };
  if (bytes !== undefined) return { $case: "raw", value: Buffer.from(bytes) };
  if (url !== undefined) return { $case: "url", value: url };
  return { $case: "data", value: data };
}
