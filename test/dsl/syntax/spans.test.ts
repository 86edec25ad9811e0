/** Every span lies in its parent's, and the span of a name is that name in the text. */
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Span } from "../../../dsl/diagnostics/source.ts";
import { mutants } from "./mutations.ts";
import { astOf, programs } from "./reading.ts";

interface Spanned {
  readonly span: Span;
  readonly text?: unknown;
  readonly value?: unknown;
}

function hasSpan(value: object): value is Spanned {
  return "span" in value;
}

function* misplaced(value: unknown, parent: Span, text: string): Generator<string> {
  if (typeof value !== "object" || value === null) return;
  const span = hasSpan(value) ? value.span : parent;
  if (span.start < parent.start || span.end > parent.end || span.start > span.end) {
    yield `${JSON.stringify(value)} leaves ${JSON.stringify(parent)}`;
  }
  if (hasSpan(value) && typeof value.text === "string" && !isNamed(value.text, span, text)) {
    yield `${value.text} is not at ${JSON.stringify(span)}`;
  }
  for (const [key, child] of Object.entries(value)) {
    if (key !== "span") yield* misplaced(child, span, text);
  }
}

// A quoted name has its quotes in the text; a unit or type that is missing stands on what it is missing behind.
function isNamed(name: string, { start, end }: Span, text: string): boolean {
  const written = text.slice(start, end);
  return written === name || /^["']/.test(written) || name === "" || name === "unknown";
}

test.each(programs)("the spans of $file", ({ text }) => {
  expect([...misplaced(astOf(text), { start: 0, end: text.length }, text)]).toEqual([]);
});

test("the spans of what is left of a faulty program", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1_000_000 }), (seed) => {
      for (const { text } of mutants(seed, 5)) {
        expect([...misplaced(astOf(text), { start: 0, end: text.length }, text)]).toEqual([]);
      }
    }),
  );
});

test("parentheses belong to the expression around, not to the one inside", () => {
  const [model] = astOf("model m = (a + b) * c").items;
  const value = model?.kind === "model" ? model.value : undefined;
  expect(value).toMatchObject({
    span: { start: 10, end: 21 },
    left: { span: { start: 11, end: 16 } },
  });
});
