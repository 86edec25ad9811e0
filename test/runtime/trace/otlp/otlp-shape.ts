/**
 * The messages of opentelemetry/proto/trace/v1/trace.proto, common/v1/common.proto and resource/v1/resource.proto (1.x) as JSON has them, by
 * OTLP's own rules: names in lowerCamelCase, ids as hexadecimal digits, 64-bit integers as texts, enums as integers.
 */

type Field =
  | "string"
  | "bool"
  | "uint32"
  | "fixed64"
  | "int64"
  | "double"
  | "traceId"
  | "spanId"
  | "bytes"
  | { readonly enum: number }
  | { readonly many: string }
  | { readonly one: string };

const MESSAGES: Readonly<Record<string, Readonly<Record<string, Field>>>> = {
  TracesData: { resourceSpans: { many: "ResourceSpans" } },
  ResourceSpans: {
    resource: { one: "Resource" },
    scopeSpans: { many: "ScopeSpans" },
    schemaUrl: "string",
  },
  Resource: { attributes: { many: "KeyValue" }, droppedAttributesCount: "uint32" },
  ScopeSpans: {
    scope: { one: "InstrumentationScope" },
    spans: { many: "Span" },
    schemaUrl: "string",
  },
  InstrumentationScope: {
    name: "string",
    version: "string",
    attributes: { many: "KeyValue" },
    droppedAttributesCount: "uint32",
  },
  Span: {
    traceId: "traceId",
    spanId: "spanId",
    traceState: "string",
    parentSpanId: "spanId",
    flags: "uint32",
    name: "string",
    kind: { enum: 5 },
    startTimeUnixNano: "fixed64",
    endTimeUnixNano: "fixed64",
    attributes: { many: "KeyValue" },
    droppedAttributesCount: "uint32",
    events: { many: "Event" },
    droppedEventsCount: "uint32",
    links: { many: "Link" },
    droppedLinksCount: "uint32",
    status: { one: "Status" },
  },
  Event: {
    timeUnixNano: "fixed64",
    name: "string",
    attributes: { many: "KeyValue" },
    droppedAttributesCount: "uint32",
  },
  Link: {
    traceId: "traceId",
    spanId: "spanId",
    traceState: "string",
    attributes: { many: "KeyValue" },
    droppedAttributesCount: "uint32",
    flags: "uint32",
  },
  Status: { message: "string", code: { enum: 2 } },
  KeyValue: { key: "string", value: { one: "AnyValue" } },
  AnyValue: {
    stringValue: "string",
    boolValue: "bool",
    intValue: "int64",
    doubleValue: "double",
    arrayValue: { one: "ArrayValue" },
    kvlistValue: { one: "KeyValueList" },
    bytesValue: "bytes",
  },
  ArrayValue: { values: { many: "AnyValue" } },
  KeyValueList: { values: { many: "KeyValue" } },
};

const TEXTS: Readonly<Record<string, RegExp>> = {
  fixed64: /^(0|[1-9]\d{0,19})$/,
  int64: /^-?(0|[1-9]\d{0,18})$/,
  traceId: /^(?!0{32})[\da-f]{32}$/,
  spanId: /^(?!0{16})[\da-f]{16}$/,
  bytes: /^[A-Za-z\d+/]*=*$/,
};

/** What is wrong with a body, each with its path. */
export function otlpFaults(body: unknown): string[] {
  return [...faultsOf(body, "TracesData", "")];
}

function* faultsOf(value: unknown, message: string, path: string): Generator<string> {
  const fields = MESSAGES[message] ?? {};
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    yield `${path}: no ${message}`;
    return;
  }
  if (message === "AnyValue" && Object.keys(value).length > 1) yield `${path}: more than one value`;
  for (const [name, member] of Object.entries(value)) {
    const field = fields[name];
    const at = `${path}/${name}`;
    if (field === undefined) yield `${at}: ${message} has no such member`;
    else yield* fieldFaults(member, field, at);
  }
}

function* fieldFaults(value: unknown, field: Field, path: string): Generator<string> {
  if (typeof field === "string") {
    if (!isScalar(value, field)) yield `${path}: ${JSON.stringify(value)} is no ${field}`;
  } else if ("enum" in field) {
    if (!Number.isInteger(value) || Number(value) < 0 || Number(value) > field.enum)
      yield `${path}: ${JSON.stringify(value)} is no value of the enum`;
  } else if ("one" in field) yield* faultsOf(value, field.one, path);
  else if (!Array.isArray(value)) yield `${path}: no list`;
  else
    for (const [index, item] of value.entries())
      yield* faultsOf(item, field.many, `${path}/${index}`);
}

function isScalar(value: unknown, field: string): boolean {
  if (field === "bool") return typeof value === "boolean";
  if (field === "uint32") return Number.isInteger(value) && Number(value) >= 0;
  if (field === "double")
    return typeof value === "number" || ["NaN", "Infinity", "-Infinity"].includes(String(value));
  if (typeof value !== "string") return false;
  return TEXTS[field]?.test(value) ?? true;
}
