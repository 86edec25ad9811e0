/**
 * The functions that generated checks call, a declaration a paragraph; each takes what is right in its place. An expression is always
 * an argument, since TypeScript then blames the expression and not what it is assigned to. `any` stands where only a run
 * can know: a tool's arguments, what a message or an artifact carries; a narrower type would refuse what is right. The
 * types of Node, and AbortSignal with them, are only there for a program that imports TypeScript.
 */
import { MESSAGE_KINDS } from "../../../../dsl/index.ts";

const PRELUDE = `
declare function $value(x: unknown): void;
declare function $condition(x: boolean | null | undefined): void;
declare function $shown<T>(x: $Shown<T>): string;
type $Shown<T> = T extends string | number | boolean | null | undefined ? T : T extends (infer U)[] ? $Shown<U>[]
  : T extends readonly (infer U)[] ? readonly $Shown<U>[] : T extends (...args: never[]) => unknown ? never
  : T extends symbol | bigint | PromiseLike<unknown> ? never : T;
declare function $items<X>(x: X & $Listed<X>): $ItemOf<X>[];
declare function $range(from: number, to: number): number[];
declare function $isIn(whole: readonly unknown[] | string | object | null | undefined, part: unknown): boolean;
type $Any<X> = 0 extends 1 & X ? true : false;
type $Listed<X> = $Any<X> extends true ? unknown : X extends string ? never
  : X extends readonly unknown[] | AsyncIterable<unknown> | Iterable<unknown> | $Observable<unknown> ? unknown
  : X extends PromiseLike<infer P> ? $Listed<P> : never;
type $ItemOf<X> = $Any<X> extends true ? any : X extends readonly (infer T)[] ? T : X extends AsyncIterable<infer T> ? T
  : X extends Iterable<infer T> ? T : X extends $Observable<infer T> ? T : X extends PromiseLike<infer P> ? $ItemOf<P> : any;
interface $Observable<T> { subscribe(observer: { next: (value: T) => void }): unknown }
declare function $is<T>(x: $Readonly<T>): void;
type $Readonly<T> = T extends (...args: never[]) => unknown ? T : T extends (infer U)[] ? readonly $Readonly<U>[] : T extends object ? { readonly [K in keyof T]: $Readonly<T[K]> } : T;
type $Item<T> = T | (T extends readonly (infer U)[] ? U : never);
declare function $by<T>(x: (item: T extends readonly (infer U)[] ? U : T) => unknown): void;
type $ForeignTool = { readonly inputSchema: unknown } | { readonly schema: unknown; invoke(...args: never[]): unknown };
declare function $tool(x: ((...args: never[]) => unknown) | $ForeignTool): void;
declare function $ofTool<F>(x: F): $Any<F> extends true ? F : F extends $ForeignTool ? (input: any) => any : F;
declare function $group(x: object): void;
type $IsTool<F> = $Any<F> extends true ? unknown : [Extract<keyof F, symbol>] extends [never] ? false : true;
declare function $asTool<F>(x: F): $IsTool<F> extends false ? (input: any) => F extends (...args: any[]) => infer R ? R : any : $OfInput<F>;
type $OfInput<F> = F extends (...args: infer A) => infer R ? A extends [object, ...any[]] ? F : (input: any) => R : F;
declare function $asFunction<F>(x: F): $IsTool<F> extends true ? (...args: any[]) => any : F;
type $Signal = typeof globalThis extends { AbortSignal: { prototype: infer S } } ? S : any;
declare const $context: { readonly signal: $Signal; step<T>(name: string, work: () => T | Promise<T>): Promise<T>;
  now(): Promise<number>; random(): Promise<number>; readonly inbox: readonly $Message[];
  artifact(made: $Made): Promise<$Artifact> };
type $Case<T> = T | (undefined extends T ? null : never);
declare function $covered<T>(x: [T] extends [never] ? true : { missing: T }): void;
interface $Schedule { readonly daily: string }
type $Pause = number | string | $Schedule | null | undefined;
type $End = boolean | number | string | null | undefined;
interface $Command { readonly kind: "command" }
type $Commanded<T, M extends string> = M extends keyof T ? NonNullable<T[M]> : never;
declare function $output<T, F extends string = never>(x: T): $Any<T> extends true ? any : T extends $Command ? $Updated<$Commanded<T, "update">, F> : $Collected<T>;
declare function $only<T, F extends string>(x: T): $Any<T> extends true ? any : T extends $Command ? $Updated<$Commanded<T, "update">, F>[F] : $Collected<T>;
type $Collected<T> = T extends string ? T : T extends AsyncIterable<infer U> | $Observable<infer U> ? $AllOf<U> : T;
type $AllOf<U> = [U] extends [string] ? string & U[] : U[];
type $Updated<U, F extends string> = [U] extends [never] ? { [K in F]: any } : { [K in F]: K extends keyof U ? U[K] : any };
declare function $goto<T>(x: T): $Any<T> extends true ? never : T extends $Command ? $One<$Commanded<T, "goto">> : never;
declare function $picked<T>(x: T): $Any<T> extends true ? any : T extends $Command ? $One<$Commanded<T, "goto">> : T;
type $One<T> = T extends readonly (infer U)[] ? U : T;
interface $Failure { readonly node: string; readonly class: string; readonly code: string; readonly message: string; readonly path: string[] }
interface $Run { readonly cost: number; readonly steps: number; readonly time: number; readonly now: number; readonly date: string }
type $Count = (node: string) => number;
interface $Call { readonly tool: string; readonly args: any; readonly effect: "none" | "workspace" | "external";
  readonly baseline: "always" | "maybe" | "never"; readonly explanation: string; readonly risk: "low" | "medium" | "high"; readonly guess: "never" | "always" | "" }
type $Told<K extends string, P> = Omit<$Message, "kind" | "payload"> & { readonly kind: K; readonly payload: P };
interface $Message { readonly id: string; readonly sender: string; readonly kind: ${MESSAGE_KINDS.map((kind) => JSON.stringify(kind)).join(" | ")}; readonly payload: any;
  readonly topic?: string; readonly priority?: number; readonly replyTo?: string; readonly artifacts?: readonly string[] }
interface $Artifact { readonly id: string; readonly name: string; readonly kind: string; readonly mime: string; readonly path?: string;
  readonly bytes: number; readonly producer: string; readonly item?: number }
interface $Made { readonly name: string; readonly kind: $ArtifactKind; readonly data: unknown; readonly mime?: string; readonly path?: string }
type $ArtifactKind = "file" | "patch" | "report" | "code" | "chart" | "image" | "search" | "log" | "other";
interface $Member { readonly name: string; readonly description: string; readonly tools: readonly string[] }
`;

/** The declarations by the names that they declare, each with the names that it mentions. */
const DECLARATIONS: ReadonlyMap<string, PreludeDeclaration> = new Map(
  PRELUDE.split(/^(?=declare|type|interface)/m).flatMap((text) => {
    const [name, ...uses] = namesIn(text);
    return name === undefined ? [] : [[name, { text, uses }] as const];
  }),
);

interface PreludeDeclaration {
  readonly text: string;
  readonly uses: readonly string[];
}

function namesIn(text: string): readonly string[] {
  return text.match(/\$\w+/g) ?? [];
}

/** Returns the declarations that a generated text needs: TypeScript checks each of them again with every cell. */
export function preludeOf(text: string): string {
  const needed = new Set<PreludeDeclaration>();
  const open = [...new Set(namesIn(text))];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    const declaration = DECLARATIONS.get(name);
    if (declaration === undefined || needed.has(declaration)) continue;
    needed.add(declaration);
    open.push(...declaration.uses);
  }
  return [...DECLARATIONS.values()].flatMap((one) => (needed.has(one) ? one.text : [])).join("");
}

/** Functions that come with the language, for expressions that call them. */
export const BUILT_IN_FUNCTIONS: ReadonlyMap<string, string> = new Map([
  ["daily", "declare function daily(time: string, zone?: string): $Schedule;"],
]);

/** Controllers that come with the language; any other is a function of the scope. */
export const BUILT_IN_CONTROLLERS: ReadonlySet<string> = new Set([
  "claude_code",
  "codex",
  "openclaw",
  "a2a",
]);

/** Graphs that come with the language. */
export const BUILT_IN_GRAPHS: ReadonlySet<string> = new Set(["planGraph"]);

/** Names that TypeScript keeps for itself, and that a graph may use. */
const RESERVED: ReadonlySet<string> = new Set(
  "arguments await break case catch class const continue debugger default delete do enum eval export extends finally for function if implements import in instanceof interface let new package private protected public return static super switch this throw try typeof var void while with yield".split(
    " ",
  ),
);

/** Returns the TypeScript name of a graph's name in its check. */
export function localName(name: string): string {
  return RESERVED.has(name) ? `$${name}` : name;
}

/**
 * Returns the TypeScript name of a function, tool or value of the scope: a field of the same name
 * must not hide it.
 */
export function scopeName(name: string): string {
  return `$scope_${name}`;
}

/** Reaches for a member of a group of the scope, whose name may have hyphens. */
export function memberAccess(name: string): string {
  return /^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`;
}
