/** Finds what an unfinished text of graphs declares, as far as it can be read. */
import { type parse, parse as parseText } from "../../../../dsl/index.ts";

type Item = ReturnType<typeof parse>["ast"]["items"][number];
type GraphItem = Extract<Item, { readonly kind: "graph" }>;

/** A name with what it is and the piece of text that declares it. */
export interface TextName {
  readonly name: string;
  /** `field`, `parameter`, the node's own word, `graph`, `model`, `type`, `mcp`, `openapi`, `import`. */
  readonly kind: string;
  readonly start: number;
  readonly end: number;
  /** As the text writes it, of what has one. */
  readonly type?: string;
  /** Of what stands in a graph: that graph. */
  readonly graph?: string;
  /** The fields that a node writes. */
  readonly writes?: readonly string[];
  /** The file or the address of the description, for an API. */
  readonly description?: string;
}

export function namesInText(text: string): readonly TextName[] {
  const { items } = parseText({ file: "cell", text }).ast;
  return items.flatMap((item): readonly TextName[] => {
    const { start, end } = item.span;
    switch (item.kind) {
      case "graph":
        return [...namesInGraph(item, text), { name: item.name.text, kind: "graph", start, end }];
      case "mcp":
        return [
          {
            name: item.name.text,
            kind: item.protocol ?? item.kind,
            ...{ start, end },
            ...(item.protocol !== undefined && item.value.kind === "string"
              ? { description: item.value.value }
              : {}),
          },
        ];
      case "model":
      case "memory":
      case "type":
        return [{ name: item.name.text, kind: item.kind, start, end }];
      case "import":
        return item.names.map(({ name, as }) => ({
          name: (as ?? name).text,
          kind: "import",
          start,
          end,
        }));
      default:
        return [];
    }
  });
}

function namesInGraph(graph: GraphItem, text: string): readonly TextName[] {
  const of = { graph: graph.name.text };
  const typed = (param: GraphItem["params"][number], kind: string): TextName => ({
    name: param.name.text,
    kind,
    start: param.span.start,
    end: param.span.end,
    ...(param.type === undefined
      ? {}
      : { type: text.slice(param.type.span.start, param.type.span.end) }),
    ...of,
  });
  const inside = graph.items.flatMap((item): readonly TextName[] => {
    if (item.kind === "state")
      return item.fields.map(({ name, type, value, via }) => ({
        name: name.text,
        kind: "field",
        start: name.span.start,
        end: (via ?? value ?? type).span.end,
        type: text.slice(type.span.start, type.span.end),
        ...of,
      }));
    if (item.kind !== "node" && item.kind !== "call") return [];
    const { start, end } = item.span;
    const writes = writtenBy(item);
    const node = { name: item.name.text, kind: item.word, start, end, writes, ...of };
    return [node, ...item.params.map((param) => typed(param, "parameter"))];
  });
  return [...graph.params.map((param) => typed(param, "parameter")), ...inside];
}

function writtenBy(node: Extract<GraphItem["items"][number], { readonly kind: "node" | "call" }>) {
  const own = "writes" in node && node.writes !== undefined ? [node.writes] : [];
  return [...own, ...node.clauses]
    .flatMap((clause) => (clause.kind === "writes" ? clause.writes : []))
    .map(({ field }) => field.text);
}
