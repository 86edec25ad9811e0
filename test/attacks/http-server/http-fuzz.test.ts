/** Requests that the description of the server allows, and some that it does not: each gets an answer, and none is a fault of ours. */
import { expect, test, vi } from "vitest";
import { isRecord, type JsonSchema } from "../../../dsl/index.ts";
import { seeded } from "../../../runtime/explore/seeded.ts";
import { drawsOf, type KeptDraws } from "../../../runtime/generated-values/draws.ts";
import { generateValue } from "../../../runtime/generated-values/generate-value.ts";
import { served, TOKENS } from "../../kernel/http-server/serving.ts";
import { holdCaseCount } from "../attack-table.ts";

vi.setConfig({ testTimeout: 600_000 });

/** `MADRIGAL_FUZZ_REQUESTS=10000` asks more. */
const REQUESTS = Number(process.env.MADRIGAL_FUZZ_REQUESTS ?? 2000);
/** So many clients ask at once. */
const CLIENTS = 20;

interface Described {
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly {
    readonly name: string;
    readonly in: string;
    readonly schema: JsonSchema;
  }[];
  readonly body: JsonSchema | undefined;
  /** Its body is a form with files. */
  readonly isForm: boolean;
}

test("requests drawn from the description are answered, and none with 5xx", async () => {
  const seed = Number(process.env.MADRIGAL_FUZZ_SEED ?? Date.now() % 1_000_000);
  const next = seeded(seed);
  const { url, ask, lines } = await served();
  const { json: description } = await ask("/openapi.json");
  const operations = describedIn(description);
  const { json: asking } = await ask("/graphs/Check/runs?wait=30", {
    body: { input: { what: "it" } },
  });
  const { json: done } = await ask("/graphs/Shout/runs?wait=30", {
    body: { input: { text: "la" } },
  });
  const known = {
    run: [asking.run_id, done.run_id],
    question: [asking.interrupts[0].id],
    thread: [asking.thread_id],
    artifact: ["1"],
    step: ["1", "0"],
  };
  const statuses = new Map<number, number>();
  const faults: string[] = [];
  let left = REQUESTS;
  const client = async () => {
    while (left > 0) {
      left -= 1;
      const draws = drawsOf([], next);
      const asked = requestOf(operations[draws.draw(operations.length - 1)] as Described, {
        draws,
        known,
      });
      const answer = await answerTo(`${url}${asked.path}`, asked.init);
      // A stream of a run that waits does not end.
      void answer.body?.cancel();
      const { status } = answer;
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (status >= 500)
        faults.push(
          `seed ${seed}: ${status} ${asked.init.method} ${asked.path} ${asked.init.body}`,
        );
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  expect(faults).toEqual([]);
  expect(lines).toEqual([]);
  // It was heard and not only refused.
  expect([...statuses.keys()]).toEqual(expect.arrayContaining([200, 201, 400, 404]));
  expect((await ask("/health")).status).toBe(200);
});

/** A connection that was kept may be closed at the moment in which it is used again. */
async function answerTo(address: string, init: RequestInit): Promise<Response> {
  return await fetch(address, init).catch(() => fetch(address, init));
}

interface Drawn {
  readonly draws: KeptDraws;
  readonly known: Readonly<Record<string, readonly string[]>>;
}

function requestOf({ method, path, parameters, body, isForm }: Described, { draws, known }: Drawn) {
  const drawnOf = (schema: JsonSchema) => generateValue(schema, draws)?.value ?? "";
  const part = (name: string) => {
    const there = known[name] ?? [];
    const isThere = there.length > 0 && draws.draw(3) > 0;
    return isThere
      ? there[draws.draw(there.length - 1)]
      : String(drawnOf({ type: "string", minLength: 1 }));
  };
  const placed = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(part(name) ?? ""),
  );
  const query = parameters
    .filter((one) => one.in === "query" && one.name !== "wait" && draws.draw(2) === 0)
    .map((one): [string, string] => [
      one.name,
      String(drawnOf(draws.draw(4) === 0 ? {} : one.schema)),
    ]);
  const sent = draws.draw(5) === 0 ? drawnOf({}) : drawnOf(body ?? {});
  const text = draws.draw(20) === 0 ? String(drawnOf({ type: "string" })) : JSON.stringify(sent);
  const key = draws.draw(3) === 0 ? { "idempotency-key": `k-${draws.draw(50)}` } : {};
  const asForm = isForm && draws.draw(5) > 0;
  return {
    path: `${placed}${query.length === 0 ? "" : `?${new URLSearchParams(query)}`}`,
    init: {
      method,
      headers: {
        authorization: `Bearer ${TOKENS.admin}`,
        // That of a form has a boundary, which `fetch` makes.
        ...(asForm ? {} : { "content-type": "application/json" }),
        ...key,
      },
      ...(method === "GET" ? {} : { body: asForm ? formOf(sent, drawnOf, draws) : text }),
    },
  };
}

/** A form with these fields as texts, and up to two files. */
function formOf(
  fields: unknown,
  drawnOf: (schema: JsonSchema) => unknown,
  draws: KeptDraws,
): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(isRecord(fields) ? fields : {}))
    form.append(name, String(value));
  const text = () => String(drawnOf({ type: "string" }));
  for (let files = draws.draw(2); files > 0; files -= 1)
    form.append("file", new Blob([text()]), text());
  return form;
}

/** The operations but those that take the known runs away, or start runs that do not end. */
function describedIn(description: Readonly<Record<string, unknown>>): readonly Described[] {
  const paths = description.paths as Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  const ending = Object.entries(paths).filter(([path]) => !/Hang|Flood|Tell/.test(path));
  return ending.flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([method]) => method !== "delete")
      .map(([method, operation]) => {
        const { parameters, requestBody } = operation as Pick<Described, "parameters"> & {
          readonly requestBody?: unknown;
        };
        const [type, schema] = bodyIn(requestBody) ?? [];
        const body = schema && (rooted(schema, description) as JsonSchema);
        const isForm = type === "multipart/form-data";
        return { method: method.toUpperCase(), path, parameters, body, isForm };
      }),
  );
}

/** The media type of a body, and its schema. */
function bodyIn(body: unknown): readonly [string, JsonSchema] | undefined {
  const described = body as
    | { content: Readonly<Record<string, { schema: JsonSchema }>> }
    | undefined;
  const [found] = Object.entries(described?.content ?? {});
  return found && [found[0], found[1].schema];
}

/** References of the description that lead to it are looked up there; one that contains itself ends as anything. */
function rooted(value: unknown, root: unknown, depth = 0): unknown {
  if (Array.isArray(value)) return value.map((item) => rooted(item, root, depth));
  if (!isRecord(value)) return value;
  if (typeof value.$ref === "string")
    return depth > 3 ? {} : rooted(referred(value.$ref, root), root, depth + 1);
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [name, rooted(part, root, depth)]),
  );
}

function referred(reference: string, root: unknown): unknown {
  const steps = reference.split("/").slice(1);
  const found = steps.reduce<unknown>((at, step) => {
    const name = step.replaceAll("~1", "/").replaceAll("~0", "~");
    return isRecord(at) ? at[name] : undefined;
  }, root);
  expect(found, reference).toBeDefined();
  return found;
}

holdCaseCount();
