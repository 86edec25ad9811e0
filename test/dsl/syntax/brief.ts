/** Prints a piece of the tree on one line: no spans, nothing that is empty. */

type Tree = Readonly<Record<string, unknown>>;

/** `(agent name=plan …)`; expressions and types as they would be written, with all parentheses. */
export function brief(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(brief).join(", ")}]`;
  if (!isTree(value)) return JSON.stringify(value) ?? "undefined";
  const written = typeof value.kind === "string" ? writers[value.kind] : undefined;
  if (written !== undefined) return written(value);
  if (isName(value)) return String(value.text);
  if (Array.isArray(value.parts) && "star" in value) return dotted(value);
  return `(${[...head(value), ...parts(value)].join(" ")})`;
}

function isTree(value: unknown): value is Tree {
  return typeof value === "object" && value !== null;
}

function isName(value: Tree): boolean {
  return typeof value.text === "string" && value.kind === undefined;
}

function dotted({ parts: segments, star }: Tree): string {
  const names = list(segments).map(brief);
  return [...names, ...(star === true ? ["*"] : [])].join(".");
}

function head({ kind }: Tree): string[] {
  return typeof kind === "string" ? [kind] : [];
}

function parts(tree: Tree): string[] {
  return Object.entries(tree)
    .filter(([key, value]) => key !== "kind" && key !== "span" && !isEmpty(value))
    .map(([key, value]) => `${key}=${brief(value)}`);
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === false || (Array.isArray(value) && value.length === 0);
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

const writers: Readonly<Record<string, (tree: Tree) => string>> = {
  string: ({ value }) => JSON.stringify(value),
  number: ({ value }) => String(value),
  boolean: ({ value }) => String(value),
  null: () => "null",
  duration: ({ ms }) => `${ms}ms`,
  money: ({ usd }) => `$${usd}`,
  amount: ({ value, unit }) => `${value} ${brief(unit)}`,
  name: (tree) => (typeof tree.text === "string" ? tree.text : brief(tree.name)),
  member: ({ object, name, optional }) => `${brief(object)}${optional ? "?." : "."}${brief(name)}`,
  index: ({ object, index }) => `${brief(object)}[${brief(index)}]`,
  call: (tree) =>
    tree.word === undefined ? application(tree) : `(${tree.word} ${parts(tree).join(" ")})`,
  unary: ({ op, operand }) => `(${op}${brief(operand)})`,
  binary: ({ op, left, right }) => `(${brief(left)} ${op} ${brief(right)})`,
  conditional: (tree) => `(${brief(tree.test)} ? ${brief(tree.then)} : ${brief(tree.else)})`,
  lambda: ({ params, body }) => `((${list(params).map(brief).join(", ")}) => ${brief(body)})`,
  list: ({ items }) => `[${list(items).map(brief).join(", ")}]`,
  object: ({ entries }) => `{${list(entries).map(entry).join(", ")}}`,
  template: ({ parts: pieces }) => `\`${list(pieces).map(piece).join("")}\``,
  named: ({ name, args }) => `${brief(name)}${typeArguments(args)}`,
  "literal-type": ({ value }) => JSON.stringify(value),
  "array-type": ({ of }) => `${brief(of)}[]`,
  "tuple-type": ({ types }) => `[${list(types).map(brief).join(", ")}]`,
  "union-type": ({ types }) => `(${list(types).map(brief).join(" | ")})`,
  "object-type": ({ members }) => `{${list(members).map(member).join(", ")}}`,
};

function application({ callee, args }: Tree): string {
  return `${brief(callee)}(${list(args).map(argument).join(", ")})`;
}

function argument(tree: unknown): string {
  if (!isTree(tree)) return "?";
  return tree.label === undefined
    ? brief(tree.value)
    : `${brief(tree.label)}: ${brief(tree.value)}`;
}

function entry(tree: unknown): string {
  if (!isTree(tree)) return "?";
  return tree.value === undefined ? brief(tree.key) : `${brief(tree.key)}: ${brief(tree.value)}`;
}

function piece(part: unknown): string {
  return typeof part === "string" ? JSON.stringify(part).slice(1, -1) : `\${${brief(part)}}`;
}

function typeArguments(args: unknown): string {
  const types = list(args);
  return types.length === 0 ? "" : `<${types.map(brief).join(", ")}>`;
}

function member(tree: unknown): string {
  if (!isTree(tree)) return "?";
  return `${brief(tree.name)}${tree.optional ? "?" : ""}: ${brief(tree.type)}`;
}
