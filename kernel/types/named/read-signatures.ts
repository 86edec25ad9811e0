/** Reads the parameters of tools from the types and doc comments of their functions. */
import type ts from "typescript-6";
import { type JsonSchema, type TypeIr, toJsonSchema } from "../../../dsl/index.ts";
import type { scopes } from "../../../runtime/index.ts";
import { readDocumentation } from "../compiler/documentation.ts";
import { PARTS_MAX, toType } from "./to-type.ts";

/** A tool whose signature is asked for: how a program of graphs names it, and what that is in TypeScript. */
export interface AskedTool {
  /** `web.search`, or `web.*` for all of a group. */
  readonly name: string;
  /** The module that `text` imports, if any: `./tools.ts`. */
  readonly from?: string;
  /** From the module's exports, or from the names of a notebook: `["web", "search"]`, `["web", "*"]`. */
  readonly path: readonly string[];
}

/** The signature of a tool by its TypeScript declaration. */
export interface FoundSignature {
  readonly name: string;
  readonly signature: scopes.ReadSignature;
  /** True if its declaration has an `input`, or may have one, which then replaces the signature. */
  readonly hasInput: boolean;
  /** True if its declaration or its doc comment says what it is for, or may do so. */
  readonly hasDescription: boolean;
  /**
   * The names of a plain function's parameters, in their order, as it is written; of one without a name (`{ a }`, `...rest`)
   * null. Absent for a tool, and where only a type of the function is known, as its own text may call them otherwise.
   */
  readonly parameterNames?: readonly (string | null)[];
}

const PREFIX = "$tool_";

/** A text with a value for each tool that is asked for. */
export function toolQueryText(asked: readonly AskedTool[]): string {
  const modules = modulesOf(asked);
  const imports = modules.map((from, at) => `import * as $m${at} from ${JSON.stringify(from)};\n`);
  const values = asked.map(({ from, path }, at) => {
    const [head = "", ...members] = path.filter((step) => step !== "*");
    const start = from === undefined ? head : `$m${modules.indexOf(from)}${memberText(head)}`;
    return `const ${PREFIX}${at} = ${[start, ...members.map(memberText)].join("")};\n`;
  });
  return [...imports, ...values].join("");
}

function modulesOf(asked: readonly AskedTool[]): readonly string[] {
  return [...new Set(asked.flatMap(({ from }) => from ?? []))];
}

function memberText(name: string): string {
  return `[${JSON.stringify(name)}]`;
}

interface SignatureReading {
  readonly compiler: typeof ts;
  readonly program: ts.Program;
  readonly checker: ts.TypeChecker;
}

/** The signatures of the tools of `toolQueryText`, those of a group one by one; nothing of what is not there. */
export function readSignatures(
  asked: readonly AskedTool[],
  compiler: typeof ts,
  { program, file }: { readonly program: ts.Program; readonly file: ts.SourceFile },
): readonly FoundSignature[] {
  const reading = { compiler, program, checker: program.getTypeChecker() };
  const values = new Map(
    file.statements
      .filter((one) => compiler.isVariableStatement(one))
      .flatMap(({ declarationList }) => [...declarationList.declarations])
      .map(({ name, initializer }) => [name.getText(file), initializer] as const),
  );
  return asked.flatMap(({ name, path }, at) => {
    const value = values.get(`${PREFIX}${at}`);
    if (value === undefined) return [];
    const type = reading.checker.getTypeAtLocation(value);
    if (path.at(-1) === "*") return groupOf(name.slice(0, -2), type, value, reading);
    const found = read({ name, type, symbol: symbolAt(value, reading) }, reading);
    return found === undefined ? [] : [found];
  });
}

interface NamedFunction {
  readonly name: string;
  readonly type: ts.Type;
  /** The symbol that declares the name: its doc comment counts where the function has none. */
  readonly symbol: ts.Symbol | undefined;
}

// As in a run, a group's plain functions are no tools as long as it has declared ones.
function groupOf(
  name: string,
  type: ts.Type,
  at: ts.Node,
  reading: SignatureReading,
): readonly FoundSignature[] {
  const { checker } = reading;
  const members = checker.getPropertiesOfType(type).map((symbol) => ({
    name: `${name}.${symbol.name}`,
    type: checker.getTypeOfSymbolAtLocation(symbol, at),
    symbol,
  }));
  const functions = members.filter((one) => one.type.getCallSignatures().length > 0);
  const tools = functions.filter((one) => optionsOf(one.type, reading) !== undefined);
  const chosen = tools.length > 0 ? tools : functions;
  return chosen.flatMap((one) => read(one, reading) ?? []);
}

function symbolAt(node: ts.Node, { compiler, checker }: SignatureReading): ts.Symbol | undefined {
  const at = compiler.isElementAccessExpression(node) ? node.argumentExpression : node;
  const symbol = checker.getSymbolAtLocation(at);
  if (symbol === undefined) return undefined;
  return symbol.flags & compiler.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
}

function read(named: NamedFunction, reading: SignatureReading): FoundSignature | undefined {
  const { name, type } = named;
  const options = optionsOf(type, reading);
  const fn = options === undefined ? type : (functionOf(type, reading) ?? type);
  const signatures = fn.getCallSignatures();
  const signature = signatures.at(-1);
  if (signature === undefined) return undefined;
  const has = (option: string) =>
    options !== undefined && reading.checker.getPropertyOfType(options, option) !== undefined;
  const names =
    options === undefined && signatures.length === 1
      ? namesAsWritten(signature, reading)
      : undefined;
  return {
    name,
    signature: signatureOf(signature, named, reading),
    hasInput: has("input"),
    hasDescription:
      has("description") || documentationOf(signature, named, reading).description !== "",
    ...(names === undefined ? {} : { parameterNames: names }),
  };
}

function namesAsWritten(
  { declaration }: ts.Signature,
  { compiler }: SignatureReading,
): readonly (string | null)[] | undefined {
  if (declaration === undefined || !compiler.isFunctionLike(declaration)) return undefined;
  if (!("body" in declaration) || declaration.body === undefined) return undefined;
  const isThis = (name: ts.Node) => compiler.isIdentifier(name) && name.text === "this";
  const parameters = declaration.parameters.filter((one) => "name" in one && !isThis(one.name));
  return parameters.map((one) => {
    const isPlain = compiler.isParameter(one) && one.dotDotDotToken === undefined;
    return isPlain && compiler.isIdentifier(one.name) ? one.name.text : null;
  });
}

// ── what `tool()` made ──────────────────────────────────────────────────────────────────────────

/** The type of the options that a tool was declared with; undefined for what is no tool. */
function optionsOf(type: ts.Type, { checker, compiler }: SignatureReading): ts.Type | undefined {
  const own = checker
    .getPropertiesOfType(type)
    .find(({ escapedName }) => `${escapedName}`.startsWith("__@TOOL@"));
  const at = own?.valueDeclaration ?? own?.declarations?.[0];
  if (own === undefined || at === undefined) return undefined;
  const found = checker.getTypeOfSymbol(own);
  return found.flags & compiler.TypeFlags.Any ? undefined : found;
}

/** The type of the function that a `Tool<F, O>` was made of. */
function functionOf(type: ts.Type, { checker }: SignatureReading): ts.Type | undefined {
  const [fn] = checker.getTypeArguments(type as ts.TypeReference);
  return fn;
}

// ── parameters ──────────────────────────────────────────────────────────────────────────────────

interface ReadParameter {
  /** Undefined for one that is taken apart: `{ word }`. */
  readonly name: string | undefined;
  readonly type: ts.Type;
  /** Its type as it is written, if it is. */
  readonly declared: string;
  readonly isOptional: boolean;
  readonly description: string;
}

function signatureOf(
  signature: ts.Signature,
  named: NamedFunction,
  reading: SignatureReading,
): scopes.ToolSignature | scopes.UntoldSignature {
  const texts = documentationOf(signature, named, reading);
  const all = signature.parameters.map((one) => parameterOf(one, texts, reading));
  const last = all.at(-1);
  const isContext = last !== undefined && isContextOf(last, reading);
  const parameters = isContext ? all.slice(0, -1) : all;
  const generic = typeParameterOf(signature, parameters, reading);
  if (generic !== undefined)
    return { fault: `it is generic, and what \`${generic}\` is only a caller in TypeScript says` };
  const description = texts.description === "" ? {} : { description: texts.description };
  const [only] = parameters;
  if (parameters.length === 1 && only !== undefined && isWholeInput(only.type, reading)) {
    const what = only.name === undefined ? "its parameter" : `its parameter \`${only.name}\``;
    const found = schemaOf(only, what, reading);
    if ("fault" in found) return found;
    return { input: withMemberTexts(found.schema, only, texts), ...description };
  }
  const properties: Record<string, JsonSchema> = {};
  for (const [at, parameter] of parameters.entries()) {
    const { name } = parameter;
    const isRest = signature.declaration?.parameters.at(at);
    if (name === undefined)
      return { fault: `its parameter ${at + 1} is taken apart and has no name` };
    if (isRest !== undefined && "dotDotDotToken" in isRest && isRest.dotDotDotToken !== undefined)
      return { fault: `its parameter \`...${name}\` takes any number of arguments` };
    const found = schemaOf(parameter, `its parameter \`${name}\``, reading);
    if ("fault" in found) return found;
    properties[name] = withText(found.schema, parameter.description);
  }
  const names = Object.keys(properties);
  const required = parameters.flatMap((one) => (one.isOptional ? [] : (one.name ?? [])));
  const input = { type: "object", properties, required, additionalProperties: false };
  return { input, ...(names.length === 0 ? {} : { parameters: names }), ...description };
}

/** Returns the name of a type parameter that the type of a parameter has in it. */
function typeParameterOf(
  { typeParameters = [] }: ts.Signature,
  parameters: readonly ReadParameter[],
  { checker }: SignatureReading,
): string | undefined {
  const texts = parameters.map(({ type, declared }) => declared || checker.typeToString(type));
  return typeParameters
    .map(({ symbol }) => symbol.name)
    .find((name) => texts.some((text) => new RegExp(`(?<![\\w$.])${name}(?![\\w$])`).test(text)));
}

function parameterOf(
  symbol: ts.Symbol,
  texts: TypeTexts,
  { compiler, checker }: SignatureReading,
): ReadParameter {
  const declaration = symbol.valueDeclaration;
  const isParameter = declaration !== undefined && compiler.isParameter(declaration);
  const isNamed = !isParameter || compiler.isIdentifier(declaration.name);
  const byDefault = isParameter && declaration.type === undefined && declaration.initializer;
  // `tool()` lends its context's type to a second parameter without one, also where its default says otherwise.
  const type = byDefault
    ? checker.getBaseTypeOfLiteralType(checker.getTypeAtLocation(byDefault))
    : checker.getTypeOfSymbol(symbol);
  return {
    name: isNamed ? symbol.name : undefined,
    type,
    declared: (isParameter && declaration.type?.getText()) || "",
    isOptional:
      mayBeUndefined(type, compiler) ||
      (isParameter &&
        (declaration.initializer !== undefined || checker.isOptionalParameter(declaration))),
    description: texts.parameters.get(symbol.name) ?? "",
  };
}

/**
 * Returns whether a type includes undefined, as does a parameter with a default before one without.
 */
function mayBeUndefined(type: ts.Type, compiler: typeof ts): boolean {
  const parts = type.isUnion() ? type.types : [type];
  return parts.some(({ flags }) => (flags & compiler.TypeFlags.Undefined) !== 0);
}

/**
 * Returns whether a parameter is the context that a run adds, which a model does not give: its type
 * has the signal of the attempt.
 */
function isContextOf({ type, declared }: ReadParameter, { checker }: SignatureReading): boolean {
  if (/\b(Tool|Function)Context$/.test(declared)) return true;
  const signal = checker.getPropertyOfType(checker.getNonNullableType(type), "signal");
  if (signal === undefined) return false;
  return checker.getNonNullableType(checker.getTypeOfSymbol(signal)).symbol?.name === "AbortSignal";
}

/**
 * Returns whether a function takes the model's object as it is: its one parameter is an object with
 * members, or a record.
 */
function isWholeInput(type: ts.Type, { compiler, checker }: SignatureReading): boolean {
  const plain = checker.getNonNullableType(type);
  const isObject = (plain.flags & compiler.TypeFlags.Object) !== 0 || plain.isIntersection();
  const isList = checker.isArrayType(plain) || checker.isTupleType(plain);
  return isObject && !isList && plain.getCallSignatures().length === 0;
}

function schemaOf(
  { type }: ReadParameter,
  what: string,
  { compiler, program, checker }: SignatureReading,
): { readonly schema: JsonSchema } | scopes.UntoldSignature {
  const given = withoutUndefined(type, checker);
  if (given.flags & (compiler.TypeFlags.Any | compiler.TypeFlags.Unknown))
    return { fault: `${what} is \`${checker.typeToString(given)}\`` };
  const definitions = new Map<string, TypeIr>();
  const names = new Map<ts.Type, string>();
  const taken = new Set<string>();
  const tooLarge = new Set<ts.Type>();
  const reading = { compiler, program, checker, names, definitions, taken, tooLarge };
  const read = toType(given, reading);
  if (tooLarge.has(given))
    return { fault: `${what} has more than ${PARTS_MAX} parts when its type is spelled out` };
  const own = [...definitions].find(([, one]) => one === read)?.[0];
  const named = own === undefined ? read : ({ kind: "named", name: own, args: [] } as const);
  const { schema, unsupported } = toJsonSchema(named, definitions);
  const [first] = unsupported;
  if (first === undefined) return { schema: rooted(schema) };
  const text = checker.typeToString(given);
  const whole = text === first ? `${what} is a \`${first}\`` : `${what} has a \`${first}\` in it`;
  return { fault: `${whole}, which JSON does not have` };
}

/** `undefined` beside other types says that it may be left out. */
function withoutUndefined(type: ts.Type, checker: ts.TypeChecker): ts.Type {
  const isNullable =
    type.isUnion() && type.types.some((one) => checker.typeToString(one) === "null");
  return isNullable ? type : checker.getNonNullableType(type);
}

/** A type that contains itself is a reference; a tool's input must be an object at its root. */
function rooted({ $ref, ...schema }: JsonSchema): JsonSchema {
  if (typeof $ref !== "string") return schema;
  const name = $ref.split("/").at(-1) ?? "";
  const own = (schema.$defs as Readonly<Record<string, JsonSchema>> | undefined)?.[name];
  return { ...own, ...schema };
}

// ── doc comments ────────────────────────────────────────────────────────────────────────────────

interface TypeTexts {
  readonly description: string;
  /** By the parameter's name, or `input.word` for a member of it. */
  readonly parameters: ReadonlyMap<string, string>;
}

/** Returns the documentation of the function, or else of the name that holds it. */
function documentationOf(
  signature: ts.Signature,
  { symbol }: NamedFunction,
  reading: SignatureReading,
): TypeTexts {
  const { compiler, checker } = reading;
  const inner = signature.declaration && checker.getSymbolAtLocation(signature.declaration);
  const own = (signature.declaration as { symbol?: ts.Symbol } | undefined)?.symbol ?? inner;
  const symbols = [symbol, own].filter((one) => one !== undefined);
  for (const one of symbols) readDocumentation(compiler, checker, one);
  const descriptions = symbols.map((one) =>
    compiler.displayPartsToString(one.getDocumentationComment(checker)).trim(),
  );
  const parameters = new Map<string, string>();
  const nodes = [...symbols.flatMap((one) => one.declarations ?? []), signature.declaration];
  for (const node of nodes) {
    for (const tag of node === undefined ? [] : compiler.getJSDocTags(node)) {
      if (!compiler.isJSDocParameterTag(tag)) continue;
      const text = compiler.getTextOfJSDocComment(tag.comment) ?? "";
      parameters.set(tag.name.getText(), text.replace(/^\s*-\s*/, "").trim());
    }
  }
  return { description: descriptions.findLast((text) => text !== "") ?? "", parameters };
}

/** `@param input.word …` says what a member is for that has no comment of its own. */
function withMemberTexts(
  schema: JsonSchema,
  { name }: ReadParameter,
  { parameters }: TypeTexts,
): JsonSchema {
  const texts = [...parameters].flatMap(([key, text]): [string, string][] => {
    const [head, member, ...more] = key.split(".");
    const isOfIt =
      member !== undefined && more.length === 0 && (name === undefined || head === name);
    return isOfIt ? [[member, text]] : [];
  });
  const properties = { ...(schema.properties as Readonly<Record<string, JsonSchema>> | undefined) };
  for (const [member, text] of texts) {
    const known = properties[member];
    if (known !== undefined) properties[member] = { ...withText({}, text), ...known };
  }
  return "properties" in schema ? { ...schema, properties } : schema;
}

function withText(schema: JsonSchema, description: string): JsonSchema {
  return description === "" ? schema : { ...schema, description };
}
