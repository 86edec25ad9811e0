/** A place among the tokens of a text, and the small steps that every rule is made of. */
import type { Span } from "../../../dsl/diagnostics/source.ts";
import type { CountAst, DottedAst, Name, StringLiteral } from "../../../dsl/syntax/tree/ast.ts";
import { isName, isWord, Kind } from "./kinds.ts";
import { Rejection } from "./rejection.ts";
import { type Scanned, scan } from "./scan.ts";
import { toMilliseconds, toNumber, unescaped } from "./values.ts";

export class Cursor {
  readonly text: string;
  readonly #tokens: Scanned;
  #at = 0;
  /** Which of `??` and `||`, `&&` the expression that is being read has. */
  operators = 0;

  constructor(text: string) {
    this.text = text;
    this.#tokens = scan(text);
  }

  kind(ahead = 0): number {
    // Behind the last token there is the end of the text again.
    return this.#tokens.kinds[this.#at + ahead] ?? 0;
  }

  start(): number {
    return this.#tokens.starts[this.#at] ?? 0;
  }

  /** Where the token before this one ends. */
  lastEnd(): number {
    return this.#tokens.ends[this.#at - 1] ?? 0;
  }

  span(start: number): Span {
    return { start, end: this.lastEnd() };
  }

  isOnSameLine(ahead = 0): boolean {
    return (
      this.#tokens.isOnNewLine[this.#at + ahead] === 0 && this.kind(ahead) !== Kind["end of text"]
    );
  }

  skip(): void {
    this.#at++;
  }

  /** The text of this token. */
  image(): string {
    return this.text.slice(this.start(), this.#tokens.ends[this.#at]);
  }

  take(kind: number): void {
    if (this.kind() !== kind) this.reject();
    this.#at++;
  }

  takeIf(kind: number): boolean {
    if (this.kind() !== kind) return false;
    this.#at++;
    return true;
  }

  reject(): never {
    throw new Rejection("this does not fit", this.start());
  }

  name(): Name {
    if (!isName(this.kind())) this.reject();
    return this.#asName();
  }

  word(): Name {
    if (!isWord(this.kind())) this.reject();
    return this.#asName();
  }

  #asName(): Name {
    const start = this.start();
    const end = this.#tokens.ends[this.#at] ?? 0;
    this.#at++;
    return { text: this.text.slice(start, end), span: { start, end } };
  }

  /** A word or a string in the place of one. */
  key(): Name {
    return this.kind() === Kind.string ? this.#quotedName() : this.word();
  }

  #quotedName(): Name {
    const { value, span } = this.string();
    return { text: value, span };
  }

  string(): StringLiteral {
    const start = this.start();
    this.take(Kind.string);
    const end = this.lastEnd();
    return {
      kind: "string",
      value: unescaped(this.text.slice(start + 1, end - 1)),
      span: { start, end },
    };
  }

  number(): { readonly kind: "number"; readonly value: number; readonly span: Span } {
    const start = this.start();
    const value = toNumber(this.image());
    this.take(Kind.number);
    return { kind: "number", value, span: this.span(start) };
  }

  duration(): { readonly kind: "duration"; readonly ms: number; readonly span: Span } {
    const start = this.start();
    const image = this.image();
    this.take(Kind.duration);
    return { kind: "duration", ms: toMilliseconds(image), span: this.span(start) };
  }

  money(): { readonly kind: "money"; readonly usd: number; readonly span: Span } {
    const start = this.start();
    const usd = toNumber(this.image().slice(1));
    this.take(Kind.money);
    return { kind: "money", usd, span: this.span(start) };
  }

  count(): CountAst {
    if (this.kind() === Kind.number) return this.number();
    const name = this.name();
    return { kind: "name", name, span: name.span };
  }

  /** One or more, with a sign between them. */
  list<Item>(item: (cursor: this) => Item, separator: number = Kind.comma): Item[] {
    const items = [item(this)];
    while (this.takeIf(separator)) items.push(item(this));
    return items;
  }

  names(): Name[] {
    const names = [this.name()];
    while (this.takeIf(Kind.comma)) names.push(this.name());
    return names;
  }

  dotted(): DottedAst {
    const start = this.start();
    const parts = [this.name()];
    let star = false;
    while (!star && this.takeIf(Kind.dot)) {
      if (this.takeIf(Kind.star)) star = true;
      else parts.push(this.kind() === Kind.string ? this.#quotedName() : this.name());
    }
    return { parts, star, span: this.span(start) };
  }
}
