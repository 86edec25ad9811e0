/** The services that start runs of graphs: `POST /Graph-NAME/start` and, to wait for the end, `POST /Graph-NAME/run`. */
import type * as restate from "@restatedev/restate-sdk";
import type { LogRecord } from "../records/records.ts";
import type { Graph } from "../run/graph.ts";
import { newRunId } from "../run/run-id.ts";
import { type LoadedSdk, refusing } from "./load-sdk.ts";
import {
  type BeginMessage,
  graphService,
  RUN_OBJECT,
  type RunStanding,
  type StoredFacts,
} from "./messages.ts";
import { type ModelsOf, modelsIn } from "./served-graphs.ts";
import type { WireValues } from "./wire-values.ts";

/** The body of a start. */
export interface StartMessage {
  readonly input?: Readonly<Record<string, unknown>>;
  /** The id of the run: a start that is repeated with it starts nothing. */
  readonly run?: string;
  readonly config?: Readonly<Record<string, unknown>>;
}

/** A run that moves here with its log. */
export interface AdoptMessage {
  readonly meta: StoredFacts["meta"];
  readonly records: readonly LogRecord[];
}

export interface GraphServiceParts {
  readonly version: string;
  readonly values: WireValues;
  readonly models?: ModelsOf;
}

export function graphServiceOf(
  sdk: LoadedSdk,
  graph: Graph,
  { version, values, models }: GraphServiceParts,
) {
  const { service, handlers, TerminalError } = sdk;
  const wire = { input: values, output: values };
  const call = handlers.handler;

  const begin = (context: restate.Context, runId: string, message: BeginMessage) =>
    context.genericCall<BeginMessage, RunStanding>({
      service: RUN_OBJECT,
      key: runId,
      method: "begin",
      parameter: message,
      inputSerde: values,
      outputSerde: values,
    });

  const begun = async (context: restate.Context, message: StartMessage | undefined) => {
    const { input = {}, run, config } = message ?? {};
    const fresh = await context.run("begin", () => ({ runId: run ?? newRunId(), at: Date.now() }));
    const options = {
      store: "none",
      ...modelsIn(models, graph.name),
      ...(config === undefined ? {} : { config }),
    } as const;
    const made = refusing(sdk, () => graph.begins(input, options));
    const { ir, ...meta } = made.meta;
    const { runId, at } = fresh;
    const own = { runId, threadId: runId, createdAt: at, durability: "sync" } as const;
    return { facts: { ir, version, meta: { ...meta, ...own } }, input: made.input, at };
  };

  return service({
    name: graphService(graph.name),
    handlers: {
      start: call(
        wire,
        async (context: restate.Context, message: StartMessage): Promise<RunStanding> => {
          const one = await begun(context, message);
          return await begin(context, one.facts.meta.runId, one);
        },
      ),

      run: call(
        wire,
        async (context: restate.Context, message: StartMessage): Promise<RunStanding> => {
          const one = await begun(context, message);
          const { id: watcher, promise } = context.awakeable<RunStanding>(values);
          const { runId } = one.facts.meta;
          await begin(context, runId, one);
          context.genericSend({
            service: RUN_OBJECT,
            key: runId,
            method: "watch",
            parameter: watcher,
            inputSerde: values,
          });
          return await promise;
        },
      ),

      /** Waits for the end of a run that has been started. */
      output: call(wire, async (context: restate.Context, runId: string): Promise<RunStanding> => {
        const { id: watcher, promise } = context.awakeable<RunStanding>(values);
        await context.genericCall({
          service: RUN_OBJECT,
          key: runId,
          method: "watch",
          parameter: watcher,
          inputSerde: values,
          outputSerde: values,
        });
        return await promise;
      }),

      adopt: call(
        wire,
        async (context: restate.Context, { meta, records }: AdoptMessage): Promise<RunStanding> => {
          if (meta.graphHash !== graph.ir.hash)
            throw new TerminalError(
              `M5810: the workers have another program of \`${graph.name}\``,
              { errorCode: 409 },
            );
          const at = await context.date.now();
          const facts = { ir: graph.ir, meta, version };
          return await begin(context, meta.runId, { facts, input: {}, at, records });
        },
      ),
    },
  });
}
