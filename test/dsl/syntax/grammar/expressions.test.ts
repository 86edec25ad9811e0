/** Expressions: text in, the same with every pair of parentheses out. */
import { expect, test } from "vitest";
import { expression, graph, report } from "../reading.ts";

test("precedence is that of JavaScript", () => {
  expect(expression("a || b && c == d + e * f")).toMatchInlineSnapshot(
    `"(a || (b && (c == (d + (e * f)))))"`,
  );
});

test("operators of one strength group to the left", () => {
  expect(expression("a - b - c + d")).toMatchInlineSnapshot(`"(((a - b) - c) + d)"`);
});

test("comparison binds tighter than equality", () => {
  expect(expression("a < b == c >= d")).toMatchInlineSnapshot(`"((a < b) == (c >= d))"`);
});

test("=== and !== are read as == and !=", () => {
  expect(expression("a === b && c !== d")).toMatchInlineSnapshot(`"((a == b) && (c != d))"`);
});

test("?? stands beside comparison", () => {
  expect(expression("a ?? b == c")).toMatchInlineSnapshot(`"(a ?? (b == c))"`);
});

test("parentheses change the order", () => {
  expect(expression("(a + b) * c")).toMatchInlineSnapshot(`"((a + b) * c)"`);
});

test("?? mixed with || needs parentheses", () => {
  expect(report("model m = a ?? b || c")).toMatchInlineSnapshot(
    `"M1111 1:13 \`??\` beside \`||\` needs parentheses (write \`(a ?? b) || c\` or \`a ?? (b || c)\`)"`,
  );
});

test("?? mixed with || in parentheses", () => {
  expect(expression("(a ?? b) || c")).toMatchInlineSnapshot(`"((a ?? b) || c)"`);
});

test("a conditional groups to the right", () => {
  expect(expression("a ? b : c ? d : e")).toMatchInlineSnapshot(`"(a ? b : (c ? d : e))"`);
});

test("unary operators nest", () => {
  expect(expression("!!a && - -b < -1")).toMatchInlineSnapshot(`"((!(!a)) && ((-(-b)) < (-1)))"`);
});

test("members, indexes, calls", () => {
  expect(expression("a.b?.c[0].tools(x, y).each")).toMatchInlineSnapshot(
    `"a.b?.c[0].tools(x, y).each"`,
  );
});

test("arguments may have labels", () => {
  expect(expression('f(1, workspace: ".", when: x)')).toMatchInlineSnapshot(
    `"f(1, workspace: ".", when: x)"`,
  );
});

test("a lambda of one parameter", () => {
  expect(expression("xs.map(x => x.id + 1)")).toMatchInlineSnapshot(
    `"xs.map(((x) => (x.id + 1)))"`,
  );
});

test("a lambda of two parameters, and of one in parentheses", () => {
  expect(expression("f((a) => 1, (a, b) => a * b)")).toMatchInlineSnapshot(
    `"f(((a) => 1), ((a, b) => (a * b)))"`,
  );
});

test("parentheses that are no lambda", () => {
  expect(expression("(a)")).toMatchInlineSnapshot(`"a"`);
});

test("lists", () => {
  expect(expression('[1, "two", [], x => x]')).toMatchInlineSnapshot(
    `"[1, "two", [], ((x) => x)]"`,
  );
});

test("objects, with short and quoted keys", () => {
  expect(expression('{ a, b: 1, "x-y": { each: null } }')).toMatchInlineSnapshot(
    `"{a, b: 1, x-y: {each: null}}"`,
  );
});

test("constants", () => {
  expect(expression("[true, false, null]")).toMatchInlineSnapshot(`"[true, false, null]"`);
});

test("numbers", () => {
  expect(expression("[1, 2.5, 40k, 1.5M]")).toMatchInlineSnapshot(`"[1, 2.5, 40000, 1500000]"`);
});

test("durations", () => {
  expect(expression("[10ms, 1.5s, 3m, 2h, 1d]")).toMatchInlineSnapshot(
    `"[10ms, 1500ms, 180000ms, 7200000ms, 86400000ms]"`,
  );
});

test("money", () => {
  expect(expression("[$2, $0.50]")).toMatchInlineSnapshot(`"[$2, $0.5]"`);
});

test("strings and their escapes", () => {
  expect(
    expression('["a\\"b", \'c\\\'d\', "\\n\\t\\\\", "\\u00e9\\u{1F600}\\x41", "\\q"]'),
  ).toMatchInlineSnapshot(`"["a\\"b", "c'd", "\\n\\t\\\\", "é😀A", "q"]"`);
});

test("a prompt with holes", () => {
  expect(expression("`Hi ${name}, you are ${age + 1}!`")).toMatchInlineSnapshot(
    `"\`Hi \${name}, you are \${(age + 1)}!\`"`,
  );
});

test("escapes in a prompt", () => {
  expect(expression("`\\`tick\\` \\${no} $5 \\\\ \\n`")).toMatchInlineSnapshot(
    `"\`\`tick\` \${no} $5 \\\\ \\n\`"`,
  );
});

test("a prompt in a hole in a prompt", () => {
  expect(expression("`a ${xs.map(x => `<${x}>`)} b`")).toMatchInlineSnapshot(
    `"\`a \${xs.map(((x) => \`<\${x}>\`))} b\`"`,
  );
});

test("an object in a hole", () => {
  expect(expression("`${ { a: 1 }.a }`")).toMatchInlineSnapshot(`"\`\${{a: 1}.a}\`"`);
});

test("a prompt in single backticks is taken as it stands", () => {
  expect(expression(["`one", "    two", "  three`"].join("\n"))).toMatchInlineSnapshot(
    `"\`one\\n    two\\n  three\`"`,
  );
});

test("a prompt in triple backticks loses its indentation and its outer line breaks", () => {
  expect(
    expression(["```", "    one", "      `two` ${x}", "", "    three", "    ```"].join("\n")),
  ).toMatchInlineSnapshot(`"\`one\\n  \`two\` \${x}\\n\\nthree\`"`);
});

test("a hole at the beginning of a line counts as text", () => {
  expect(expression(["```", "      a", "    ${x} b", "    ```"].join("\n"))).toMatchInlineSnapshot(
    `"\`  a\\n\${x} b\`"`,
  );
});

test("words beside triple backticks", () => {
  expect(expression(["```one", "      two```"].join("\n"))).toMatchInlineSnapshot(
    `"\`one\\ntwo\`"`,
  );
});

test("a call goes on only on its own line", () => {
  expect(
    graph(["a -> {", "  x -> b set n = y", "  (z) -> c", "}"].join("\n")),
  ).toMatchInlineSnapshot(
    `"(flow source=(any nodes=[a]) hops=[(choice branches=[(condition=x hops=[(one-of refs=[(node=b)] clauses=[(set assigns=[(field=n value=y)])])]), (condition=z hops=[(one-of refs=[(node=c)])])])])"`,
  );
});

test("an index goes on only on its own line", () => {
  expect(
    report(["graph G {", "  memory m: T by a", "  [b, c] -> d", "}"].join("\n")),
  ).toMatchInlineSnapshot(`""`);
});

test("a dot goes on on the next line", () => {
  expect(expression(["a", "  .b", "  .c"].join("\n"))).toMatchInlineSnapshot(`"a.b.c"`);
});
