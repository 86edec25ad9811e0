/** Lists the variables of a stop level by level, on request, and calls no getter. */
import type { Runtime } from "node:inspector";
import type { Paging, Variable } from "../protocol.ts";
import { isOver } from "./is-over.ts";
import type { MainInspector } from "./main-inspector.ts";
import { previewOf, typeOf } from "./previews.ts";

/** An object that a reference stands for. */
interface OpenedObject {
  readonly objectId: string;
  /** Names that are ours. */
  readonly hidden?: ReadonlySet<string>;
  /** The expression that gives it. */
  readonly path?: string;
  /** The entries shown before its properties. */
  readonly beside?: readonly (readonly [string, Runtime.RemoteObject])[];
  /** Of a list: the items from one to another. */
  readonly items?: { readonly from: number; readonly to: number };
}

/** The number of list items, and of properties, that are shown at once. */
const SHOWN_MAX = 100;
const PROPERTIES_MAX = 500;

export class StopValues {
  readonly #inspector: Pick<MainInspector, "ask">;
  readonly #opened: OpenedObject[] = [];
  /** References of stops that are over count for nothing. */
  #over = 0;

  constructor(inspector: Pick<MainInspector, "ask">) {
    this.#inspector = inspector;
  }

  /** The main thread goes on: what was referred to may change. */
  forget(): void {
    this.#over += this.#opened.splice(0).length;
  }

  refer(opened: OpenedObject): number {
    return this.#over + this.#opened.push(opened);
  }

  /**
   * Returns the variables inside a reference. Throws M7763 for a reference of a stop that is over.
   */
  async variables(
    reference: number,
    { start = 0, count }: Paging = {},
  ): Promise<readonly Variable[]> {
    const opened = this.#opened[reference - this.#over - 1];
    if (opened === undefined) throw isOver();
    const { items } = opened;
    const all = await (items === undefined
      ? this.#properties(opened)
      : this.#items({ ...opened, items }));
    return all.slice(start, count === undefined ? undefined : start + count);
  }

  /** A value by its name, to be opened by a reference of its own. */
  variable(name: string, value: Runtime.RemoteObject, path?: string): Variable {
    return {
      name,
      value: previewOf(value),
      type: typeOf(value),
      variablesReference: this.#referTo(value, path),
      ...(path === undefined ? {} : { evaluateName: path }),
    };
  }

  #referTo(value: Runtime.RemoteObject, path: string | undefined): number {
    const { objectId, subtype, description = "" } = value;
    if (objectId === undefined) return 0;
    const opened = { objectId, ...(path === undefined ? {} : { path }) };
    if (subtype !== "array" && subtype !== "typedarray") return this.refer(opened);
    const length = Number(/\((\d+)\)$/.exec(description)?.[1] ?? 0);
    return this.refer(length > SHOWN_MAX ? { ...opened, items: { from: 0, to: length } } : opened);
  }

  async #properties(opened: OpenedObject): Promise<readonly Variable[]> {
    const { objectId, hidden, path, beside = [] } = opened;
    const {
      result,
      internalProperties = [],
      privateProperties = [],
    } = await this.#propertiesOf(objectId);
    const own = result.filter(({ name, isOwn }) => isOwn !== false && !hidden?.has(name));
    const shown = own.slice(0, PROPERTIES_MAX).map((property) => this.#property(property, path));
    const inside = internalProperties.filter(({ name }) => INSIDE.has(name));
    return [
      ...beside.map(([name, value]) => this.variable(name, value)),
      ...shown,
      ...[...privateProperties, ...inside].flatMap(({ name, value }) =>
        value ? [this.variable(name, value)] : [],
      ),
      ...(own.length > PROPERTIES_MAX ? [rest(own.length - PROPERTIES_MAX)] : []),
    ];
  }

  #property({ name, value, get, symbol }: Runtime.PropertyDescriptor, path = ""): Variable {
    const inPath = symbol === undefined ? pathTo(path, name) : undefined;
    if (value !== undefined) return this.variable(name, value, inPath);
    const text =
      get === undefined || get.type === "undefined"
        ? "(not set yet)"
        : "(getter: evaluate it by its name)";
    return {
      name,
      value: text,
      type: "",
      variablesReference: 0,
      ...(inPath && { evaluateName: inPath }),
    };
  }

  async #items({
    objectId,
    items: { from, to },
    path = "",
  }: ItemsOf): Promise<readonly Variable[]> {
    const size = partSize(to - from);
    if (size > 1)
      return partsOf({ from, to, size }).map((items) => this.#part({ objectId, items, path }));
    const { result } = await this.#inspector.ask<Runtime.CallFunctionOnReturnType>(
      "Runtime.callFunctionOn",
      { objectId, functionDeclaration: COPY_ITEMS, arguments: [{ value: from }, { value: to }] },
    );
    if (result.objectId === undefined) return [];
    return await this.#properties({ objectId: result.objectId, ...(path && { path }) });
  }

  #part({ objectId, items, path }: ItemsOf): Variable {
    const variablesReference = this.refer({ objectId, items, ...(path && { path }) });
    const name = `[${items.from} … ${items.to - 1}]`;
    return { name, value: `${items.to - items.from} items`, type: "", variablesReference };
  }

  async #propertiesOf(objectId: string): Promise<Properties> {
    return await this.#inspector.ask("Runtime.getProperties", {
      objectId,
      ownProperties: true,
      generatePreview: true,
    });
  }
}

/** Node's own types leave out what is private. */
type Properties = Runtime.GetPropertiesReturnType & {
  readonly privateProperties?: readonly Runtime.InternalPropertyDescriptor[];
};

type ItemsOf = OpenedObject & { readonly items: { readonly from: number; readonly to: number } };

/** The internal slots of an object that are shown like properties. */
const INSIDE: ReadonlySet<string> = new Set([
  "[[Entries]]",
  "[[PromiseState]]",
  "[[PromiseResult]]",
  "[[Target]]",
]);

/** Without calling a getter, and without what is not there. */
const COPY_ITEMS = `function (from, to) {
  const copy = Object.create(null);
  for (let at = from; at < to; at += 1) {
    const item = Object.getOwnPropertyDescriptor(this, at);
    if (item !== undefined) Object.defineProperty(copy, at, item);
  }
  return copy;
}`;

/** One, or the power of a hundred that makes at most a hundred parts. */
function partSize(count: number): number {
  let size = 1;
  while (size * SHOWN_MAX < count) size *= SHOWN_MAX;
  return size;
}

function partsOf({ from, to, size }: { from: number; to: number; size: number }) {
  const count = Math.ceil((to - from) / size);
  return Array.from({ length: count }, (_, at) => ({
    from: from + at * size,
    to: Math.min(to, from + (at + 1) * size),
  }));
}

function pathTo(path: string, name: string): string {
  if (path === "") return name;
  if (/^\d+$/.test(name)) return `${path}[${name}]`;
  return /^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(name)
    ? `${path}.${name}`
    : `${path}[${JSON.stringify(name)}]`;
}

function rest(count: number): Variable {
  const value = `${count} more properties: evaluate one by its name`;
  return { name: "…", value, type: "", variablesReference: 0 };
}
