/** Reads the description of an API for a check, which may not wait: its operations, or what is wrong with it and where. */
import { readFileSync, statSync } from "node:fs";
import type { ApiReading, DescribedTool, JsonSchema } from "../../../dsl/index.ts";
import type { Json } from "../values/json.ts";
import { withoutUnseenIn } from "../values/unseen-characters.ts";
import { type ApiOperation, isReading, listOperations, withoutKey } from "./operations.ts";
import { DescriptionFault, placeIn, readDescription } from "./read-description.ts";

interface KnownReading {
  readonly stamp: string;
  readonly reading: ApiReading;
}

const KEPT_MAX = 20;
/** An editor checks a program at each pause, and its descriptions change seldom. */
const kept = new Map<string, KnownReading>();

/** Reads the file at `path`, which messages call `shown`. Never throws. */
export function readApi(path: string, shown: string): ApiReading {
  let text = "";
  try {
    const { mtimeMs, size } = statSync(path);
    const stamp = `${mtimeMs} ${size} ${shown}`;
    const known = kept.get(path);
    if (known?.stamp === stamp) return known.reading;
    text = readFileSync(path, "utf8");
    const reading = readText(text, shown);
    kept.delete(path);
    kept.set(path, { stamp, reading });
    const [oldest] = kept.keys();
    if (kept.size > KEPT_MAX && oldest !== undefined) kept.delete(oldest);
    return reading;
  } catch (thrown) {
    const { code, message } = thrown as NodeJS.ErrnoException;
    const fault =
      code === "ENOENT"
        ? `there is no file \`${shown}\``
        : `\`${shown}\` can't be read: ${message}`;
    return { fault, hint: "its path is relative to the folder of the program" };
  }
}

function readText(text: string, file: string): ApiReading {
  try {
    // A check does not know the addresses of the declaration, and the run tells of one that is missing.
    const operations = listOperations(readDescription(text), { url: "http://localhost/" });
    return {
      operations: Object.fromEntries(
        operations.map(({ member, method }) => [member, isReading(method) ? "none" : "external"]),
      ),
      tools: Object.fromEntries(operations.map((one) => [one.member, describedTool(one)])),
    };
  } catch (thrown) {
    if (!(thrown instanceof DescriptionFault)) throw thrown;
    const { message, hint } = thrown;
    const place = placeIn(text, thrown);
    return {
      fault: `\`${file}\` can't be read: ${message}`,
      ...(hint === undefined ? {} : { hint }),
      ...(place === undefined ? {} : { at: { file, ...place, message: "here" } }),
    };
  }
}

function describedTool(operation: ApiOperation): DescribedTool {
  const output = answerSchema(operation);
  const tool = {
    name: operation.name,
    description: operation.description,
    input: withoutKey(operation),
    ...(output === undefined ? {} : { output }),
  };
  // An editor shows it in terminals, too.
  return withoutUnseenIn(tool as Json).value as unknown as DescribedTool;
}

/** Returns the schema of all answers that are no errors; undefined where one of them has none. */
function answerSchema({ answers }: ApiOperation): JsonSchema | undefined {
  const right = answers.filter(({ status }) => status.startsWith("2"));
  const counted = right.length > 0 ? right : answers.filter(({ status }) => status === "DEFAULT");
  const schemas = counted.flatMap(({ status, schema }): readonly JsonSchema[] => {
    if (status === "204") return [{ type: "null" }];
    return schema === undefined ? [] : [schema];
  });
  if (schemas.length === 0 || schemas.length < counted.length) return undefined;
  if (schemas.length === 1) return schemas[0];
  return { anyOf: schemas, $defs: Object.assign({}, ...schemas.map(({ $defs }) => $defs)) };
}
