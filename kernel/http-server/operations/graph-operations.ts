/** Operations on graphs: what there is, what each takes, and the start of a run. */
import { type JsonSchema, parametersSchema, resultsSchema } from "../../../dsl/index.ts";
import type { Graph, Run } from "../../../runtime/index.ts";
import { runJson } from "../../cli/run/run-json.ts";
import { ANY_OBJECT, NAME, type Operation, type OperationCall, objectOf } from "../operation.ts";

/** The longest time that an answer is held back for a run that is under way, in seconds. */
const WAIT_MAX = 60;

/** The seconds to wait for the run to come to rest. */
export const WAIT: JsonSchema = { type: "integer", minimum: 0, maximum: WAIT_MAX };

/** The run once it has come to rest, or after the time that the request says, in seconds. */
export async function runAfterWait(run: Run, { query, outgoing }: OperationCall) {
  const seconds = Number(query.wait ?? 0);
  if (seconds > 0) {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, seconds * 1000);
    outgoing.once("close", resolve);
    run.settled().then(resolve, resolve);
    await promise;
    clearTimeout(timer);
  }
  return runJson(run, run.ir);
}

export function graphOperations(graphs: readonly Graph[]): readonly Operation[] {
  return [
    {
      id: "listGraphs",
      method: "GET",
      path: "/graphs",
      right: "read",
      summary: "The graphs of this server, with the schemas of what each takes and returns.",
      gives: objectOf({ graphs: { type: "array", items: ANY_OBJECT } }),
      perform: () => ({ graphs: graphs.map(graphJson) }),
    },
    ...graphs.map(startOperation),
  ];
}

function graphJson({ ir }: Graph) {
  return {
    name: ir.name,
    description: ir.description ?? null,
    hash: ir.hash,
    input: parametersSchema(ir),
    output: resultsSchema(ir),
  };
}

function startOperation(graph: Graph): Operation {
  const { ir } = graph;
  const body = (input: JsonSchema) =>
    objectOf({ input, thread: NAME, user: NAME, mode: NAME }, ["thread", "user", "mode"]);
  return {
    id: `start${ir.name}`,
    method: "POST",
    path: `/graphs/${ir.name}/runs`,
    right: "run",
    summary: ir.description ?? `Starts a run of ${ir.name}.`,
    query: { wait: WAIT },
    // The run itself checks its input.
    body: body(ANY_OBJECT),
    shownBody: body(parametersSchema(ir)),
    takesKey: true,
    gives: ANY_OBJECT,
    perform: async (call) => {
      const { input, thread, user, mode } = call.body as unknown as StartBody;
      const run = call.host.start(graph, input, { key: call.key, thread, user, mode });
      return Response.json(await runAfterWait(run, call), {
        status: 201,
        headers: { location: `/runs/${run.id}` },
      });
    },
  };
}

interface StartBody {
  readonly input: Readonly<Record<string, unknown>>;
  readonly thread?: string;
  readonly user?: string;
  readonly mode?: string;
}
