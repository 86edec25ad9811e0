/** Descriptions that others wrote: each operation has a schema that is whole, and can be sent. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { operationRequest } from "../../../runtime/agents/openapi/operation-request.ts";
import { type ApiOperation, listOperations } from "../../../runtime/agents/openapi/operations.ts";
import { readDescription } from "../../../runtime/agents/openapi/read-description.ts";
import { misfits } from "../../../runtime/state/json-schema.ts";
import { installedPackage } from "../../support/providers/installed.ts";

const examples = installedPackage("@readme/oas-examples@8.2.2");
const blockfrost = join(installedPackage("@blockfrost/openapi@0.1.93"), "openapi.yaml");
const directus = join(installedPackage("@directus/specs@15.2.0"), "dist", "openapi.json");

const operationsIn = (file: string) =>
  listOperations(readDescription(readFileSync(file, "utf8")), { url: "https://api.example/base" });

type Schema = Readonly<Record<string, unknown>>;

/** The `$ref`s in a schema, at any depth. */
function referencesIn(schema: unknown): readonly string[] {
  if (typeof schema !== "object" || schema === null) return [];
  return Object.entries(schema).flatMap(([key, value]) =>
    key === "$ref" && typeof value === "string" ? [value] : referencesIn(value),
  );
}

/** A value that a schema takes, of what it requires only. */
function sampleOf(schema: Schema, root: Schema): unknown {
  const { $ref, type, allOf, anyOf, oneOf, enum: values, required = [], properties = {} } = schema;
  if (typeof $ref === "string")
    return sampleOf(
      (root.$defs as Record<string, Schema>)[$ref.slice("#/$defs/".length)] ?? {},
      root,
    );
  if (Array.isArray(values)) return values[0];
  const [first] = [anyOf, oneOf].flatMap((one) => (Array.isArray(one) ? one : []));
  const parts = [
    ...(Array.isArray(allOf) ? allOf : []),
    ...(first === undefined ? [] : [first]),
  ].map((one) => sampleOf(one as Schema, root));
  const kind = Array.isArray(type) ? type[0] : type;
  if (kind !== "object" && parts.some((one) => typeof one !== "object")) return parts[0];
  if (kind === "integer" || kind === "number") return schema.minimum ?? 1;
  if (kind === "boolean") return true;
  if (kind === "array")
    return Array.from({ length: Number(schema.minItems ?? 0) }, () =>
      sampleOf((schema.items ?? {}) as Schema, root),
    );
  if (kind === "object" || parts.length > 0 || Object.keys(properties as object).length > 0)
    return Object.assign(
      {},
      ...parts.filter((one) => typeof one === "object"),
      Object.fromEntries(
        (required as string[]).map((name) => [
          name,
          sampleOf((properties as Record<string, Schema>)[name] ?? {}, root),
        ]),
      ),
    );
  return "x".repeat(Number(schema.minLength ?? 1));
}

interface Looked {
  /** References of a schema that lead nowhere, and addresses outside of the API. */
  readonly broken: readonly string[];
  /** The places where the sample does not fit: the schema lost what it says. */
  readonly misfits: readonly string[];
}

async function lookAt(operation: ApiOperation): Promise<Looked> {
  const { input, name } = operation;
  const answers: Schema[] = operation.answers.flatMap(({ schema }) =>
    schema === undefined ? [] : [schema],
  );
  const dangling = [input, ...answers].flatMap((schema) =>
    referencesIn(schema).filter(
      (one) => !Object.hasOwn((schema.$defs ?? {}) as object, one.slice("#/$defs/".length)),
    ),
  );
  const sample = sampleOf(input, input) as Record<string, unknown>;
  // Nothing in a path is empty.
  for (const { in: where, member } of operation.parameters)
    if (where === "path" && JSON.stringify(sample[member]) === "[]") sample[member] = ["x"];
    else if (where === "path" && JSON.stringify(sample[member]) === "{}") sample[member] = { a: 1 };
  const { url } = await operationRequest(operation, { input: sample, headers: {} });
  const isOutside = url.origin !== "https://api.example" || !url.pathname.startsWith("/base/");
  return {
    broken: [...dangling, ...(isOutside ? [`leads to ${url}`] : [])].map(
      (one) => `${name}: ${one}`,
    ),
    misfits: misfits(sample, input).map(({ path, expected }) => `${name}: ${path} ${expected}`),
  };
}

test.each([
  ["Blockfrost", blockfrost, 129, "GET_health"],
  ["Directus", directus, 136, "getActivities"],
  ["Petstore", join(examples, "3.0/yaml/petstore.yaml"), 20, "findPetsByStatus"],
  ["Petstore in 3.1", join(examples, "3.1/json/petstore.json"), 20, "findPetsByStatus"],
  ["Train Travel", join(examples, "3.1/yaml/train-travel.yaml"), 7, "create_booking"],
  ["USPTO", join(examples, "3.0/yaml/uspto.yaml"), 3, "perform_search"],
])("%s", async (_, file, count, member) => {
  const operations = operationsIn(file);
  expect(operations).toHaveLength(count);
  const names = operations.map((one) => one.member);
  expect(new Set(names).size).toBe(count);
  expect(names).toContain(member);
  const looked = await Promise.all(operations.map(lookAt));
  expect(looked.flatMap((one) => [...one.broken, ...one.misfits])).toEqual([]);
});

test("all examples of ReadMe but those without paths", async () => {
  const folders = ["3.0/json", "3.1/json"].map((name) => join(examples, name));
  const files = folders.flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => name.endsWith(".json") && name !== "webhooks.json")
      .map((name) => join(folder, name)),
  );
  expect(files.length).toBeGreaterThan(50);
  for (const file of files) {
    const looked = await Promise.all(operationsIn(file).map(lookAt));
    expect(
      looked.flatMap((one) => one.broken),
      file,
    ).toEqual([]);
  }
});
