/** How each construct is written: text in, text out. */
import { describe, expect, test } from "vitest";
import { formatted, inGraph, inNode, refusal } from "./formatting.ts";

describe("between tokens", () => {
  test.each([
    ["model m=f( {a:1} , [ 1,2 ] )", "model m = f({ a: 1 }, [1, 2])"],
    ["model m = x ? . y [ 0 ] . z( 1 )", "model m = x ? .y[0].z(1)"],
    ["model m = x ?. y [ 0 ] . z (1)", "model m = x?.y[0].z(1)"],
    ["model m=a+b*-c", "model m = a + b * -c"],
    ["model m=- - a", "model m = --a"],
    ["model m = ! ! a&&!b", "model m = !!a && !b"],
    ["model m=a?b:c?d:e", "model m = a ? b : c ? d : e"],
    ["model m={a:b?c:d,e:f}", "model m = { a: b ? c : d, e: f }"],
    ["model m=xs.map((x,y)=>x<y)", "model m = xs.map((x, y) => x < y)"],
    ["model m=(a)(b)", "model m = (a)(b)"],
    ["model m=`a`+`b`", "model m = `a` + `b`"],
    ['mcp m="x"{ }optional', 'mcp m = "x" {} optional'],
    ['openapi  m="x"{ }optional', 'openapi m = "x" {} optional'],
    ["config{}", "config {}"],
    ['import{a  as b,c}from"./x.ts"', 'import { a as b, c } from "./x.ts"'],
    ["memory m:{a:string}by e . x", "memory m: { a: string } by e.x"],
  ])("%s", (given, expected) => {
    expect(formatted(given)).toBe(`${expected}\n`);
  });

  test.each([
    ["type T={a?:string;b:int}", "type T = { a?: string, b: int }"],
    [
      "type T=Array < Record<string,int [ ]> >|null",
      "type T = Array<Record<string, int[]>> | null",
    ],
    ["type T=(A|B) [] []", "type T = (A | B)[][]"],
    ['type T=[-1,"a"|"b"]', 'type T = [-1, "a" | "b"]'],
    [
      "graph G(a ?: int,b:Map<string,int> =f(a<b))returns a{}",
      "graph G(a?: int, b: Map<string, int> = f(a < b)) returns a { }",
    ],
  ])("in types: %s", (given, expected) => {
    expect(formatted(given)).toBe(`${expected}\n`);
  });

  test.each([
    ["state{a:int=1 via max(x=>x<3)}", "state { a: int = 1 via max(x => x < 3) }"],
    ['agent a(x:int)"does"{}', 'agent a(x: int) "does" { }'],
    [
      'run x = server . "get-sum" (n)writes a ?{retry 2}',
      'run x = server."get-sum"(n) writes a? { retry 2 }',
    ],
    ['start->a(x)"label"|b->[c,d(1)]', 'start -> a(x) "label" | b -> [c, d(1)]'],
    [
      "[a,b]need 2->c after 5m max n detached set x=1,y=- 2",
      "[a, b] need 2 -> c after 5m max n detached set x = 1, y = -2",
    ],
    [
      "a->each t of xs{work(t)->check(t)\nwork|check->bury(t)on error\n[work,check]need 1->end}->d",
      "a -> each t of xs {\n  work(t) -> check(t)\n  work | check -> bury(t) on error\n  [work, check] need 1 -> end\n} -> d",
    ],
    [
      "a->each t of xs parallel 4 when(c){work(t)->check(t)}->d",
      "a -> each t of xs parallel 4 when (c) { work(t) -> check(t) } -> d",
    ],
    [
      'a->match x.y{"a"|"b"->c,-1->d,else->e}->f',
      'a -> match x.y { "a" | "b" -> c, -1 -> d, else -> e } -> f',
    ],
    ["a->{tools[0]->b,-x>3->c,else->end}", "a -> { tools[0] -> b, -x > 3 -> c, else -> end }"],
    ["limit 3m,$2,40k tokens else ask", "limit 3m, $2, 40k tokens else ask"],
    ["limit->model|tools->end", "limit -> model | tools -> end"],
    [
      "approve before a,b`sure?`when x by y within 1h",
      "approve before a, b `sure?` when x by y within 1h",
    ],
    ["end when(a)", "end when (a)"],
  ])("in graphs: %s", (given, expected) => {
    expect(inGraph(given)).toBe(expected);
  });

  test.each([
    ["model(x)", "model (x)"],
    ["ask x from[1,2]", "ask x from [1, 2]"],
    ["tools fs . *,web.search", "tools fs.*, web.search"],
    ["session resume(x)", "session resume (x)"],
    ["controller c(a:1)", "controller c(a: 1)"],
    ["writes a ?,b=x?y:z via f(x),c ?via g", "writes a?, b = x ? y : z via f(x), c? via g"],
    ["retry 2 on model|tool,n backoff 1s .. 20s", "retry 2 on model | tool, n backoff 1s..20s"],
    ["every 1 .. 5 until(a)by m max 3", "every 1..5 until (a) by m max 3"],
    ['ensure(a)>- 3"hint"else ask', 'ensure (a) > -3 "hint" else ask'],
    ['approve tool*when call.risk=="high"', 'approve tool * when call.risk == "high"'],
    ["store{x,y}into plans", "store { x, y } into plans"],
    ["model m;prompt `x`", "model m; prompt `x`"],
    ["set limit=model-1", "set limit = model - 1"],
    ["set a=[1 .. n,... b]", "set a = [1..n, ...b]"],
    ["set a={... b,c:1}", "set a = { ...b, c: 1 }"],
    ["set a=f(... b)", "set a = f(...b)"],
    ['set a=not(b)&&"x"in[b]', 'set a = not (b) && "x" in [b]'],
    ["set a=b not  in(c), d=not", "set a = b not in (c), d = not"],
  ])("in nodes: %s", (given, expected) => {
    expect(inNode(given)).toBe(expected);
  });

  test("in tests", () => {
    expect(
      formatted(
        'test"x"of G{given a=[1]\na says[1],{b:c},fails(2),says[3]\ngiven fails-1\na/b denied"x",expires,calls{tool:"c"},answers[1]\nexpect path a->b}',
      ),
    ).toBe(
      'test "x" of G { given a = [1]\n  a says [1], { b: c }, fails (2), says [3]\n  given fails -1\n  a/b denied "x", expires, calls { tool: "c" }, answers [1]\n  expect path a -> b }\n',
    );
  });
});

describe("lines", () => {
  test("what fits stands on one line, however it was broken", () => {
    expect(
      inGraph("run a = f({\nx: [\n1,\n2\n]\n})\nstart -> a -> {\na -> end\nelse -> a\n}"),
    ).toMatchInlineSnapshot(`
      "run a = f({ x: [1, 2] })
      start -> a -> { a -> end, else -> a }"
    `);
  });

  test("arrows and clauses of nodes, too", () => {
    expect(
      inGraph("start -> a\n-> b\nmax 3\nb ->\nc\nrun x = f()\nwrites y {\nretry 2\n}"),
    ).toMatchInlineSnapshot(`
      "start -> a -> b max 3
      b -> c
      run x = f() writes y { retry 2 }"
    `);
  });

  test("a body with more than three clauses has one a line", () => {
    expect(
      inNode("tools a,\nb.*\napprove tool *\nwhen x\n&& y\nby z\nhistory\nprompt\n`x`"),
    ).toMatchInlineSnapshot(`
      "tools   a, b.*
      approve tool * when x && y by z
      history
      prompt  \`x\`"
    `);
  });

  test("a node may be called like a clause of an edge", () => {
    expect(inGraph("a -> b\nmax -> c\non | set -> d\nwhen x")).toMatchInlineSnapshot(`
      "a -> b
      max -> c
      on | set -> d when x"
    `);
  });

  test("branches on one line have commas between them", () => {
    expect(
      inGraph(
        "a -> {\nx -> b set y = 1,\nz = 2,\n-x > 3\n|| q -> c\nmax > 3 -> d\nmax 3\nelse -> e\n}",
      ),
    ).toMatchInlineSnapshot(
      `"a -> { x -> b set y = 1, z = 2, -x > 3 || q -> c, max > 3 -> d max 3, else -> e }"`,
    );
  });

  test("at most one blank line, none beside a bracket or at the ends", () => {
    expect(formatted("\n\ntype A = int\n\n\n\ngraph G {\n\n  start -> end\n\n}\n\n\n")).toBe(
      "type A = int\n\ngraph G {\n  start -> end\n}\n",
    );
  });

  test("an empty text stays empty", () => {
    expect([formatted(""), formatted(" \n\n"), formatted("\uFEFF")]).toEqual(["", "", "\uFEFF"]);
  });

  test("CRLF and the byte order mark stay", () => {
    expect(formatted("\uFEFFtype A=int\r\n\r\n\r\ntype B=`a\nb`\n")).toBe(
      "\uFEFFtype A = int\r\n\r\ntype B = `a\nb`\r\n",
    );
  });

  test("prompts are not touched, whatever is in them", () => {
    const prompt = "```\n  a  ${ b+`c  ${ {d:1} }` }\n      e\n\t```";
    expect(formatted(`graph G {\nagent a {\nprompt   ${prompt}\nwrites x\n}\n}`)).toBe(
      `graph G {\n  agent a {\n    prompt ${prompt}\n    writes x\n  }\n}\n`,
    );
    expect(formatted(`model m=${prompt}`)).toBe(`model m = ${prompt}\n`);
  });
});

describe("columns", () => {
  test("types of fields", () => {
    expect(
      inGraph(
        "state {\na: int = 0 via sum\nlonger ?: string\n// a note\nb: {\nc: int\n}\n\nlongest: int\nx: int\n}",
      ),
    ).toMatchInlineSnapshot(`
      "state {
        a:       int = 0 via sum
        longer?: string
        // a note
        b:       { c: int }

        longest: int
        x:       int
      }"
    `);
  });

  test("what follows the words of clauses; a long word does not move the others", () => {
    expect(
      inNode(
        'controller codex\nmodel m\nprompt `x\ny`\nset a = 1; set b = 2\nstate { own: int = 0 }\nstore { x } into y\ncontext {\na: b\n}\nskills [\n"a"\n]\n\nset a = 1',
      ),
    ).toMatchInlineSnapshot(`
      "controller codex
      model   m
      prompt  \`x
      y\`
      set     a = 1
      set     b = 2
      state { own: int = 0 }
      store   { x } into y
      context { a: b }
      skills  ["a"]

      set a = 1"
    `);
  });
});

describe("comments", () => {
  test("stay where they are, at the end of a line or on their own", () => {
    expect(
      formatted(
        "// top   \ngraph G { // open\n// in\nstart -> a // to a\n// on\n-> b /* two */ -> c\n// last\n}\n// end",
      ),
    ).toMatchInlineSnapshot(`
      "// top
      graph G { // open
        // in
        start -> a // to a
          // on
          -> b /* two */ -> c
        // last
      }
      // end
      "
    `);
  });

  test.each([
    ["a member", "type T = { a: int // a\n, /* b */ b: int }", "/* b */"],
    ["a clause", "graph G { agent a { model m // a\n; // b\nprompt `x` } }", "// b"],
    ["a branch", "graph G { a -> { x -> b // a\n, /* b */ else -> end } }", "/* b */"],
  ])("stand behind a sign before %s that is left out", (_, text, comment) => {
    const lines = formatted(text).split("\n");
    expect(lines.map((line) => line.trim())).toContain(comment);
  });

  test("a starred one moves as a whole, any other keeps its lines", () => {
    expect(
      inGraph("/**\n      * a\n * b\n*/\n/* c\n      d */\nstart -> end"),
    ).toMatchInlineSnapshot(`
      "/**
       * a
       * b
       */
      /* c
          d */
      start -> end"
    `);
  });
});

describe("broken text", () => {
  test("is formatted as far as it can be read", () => {
    expect(
      formatted("graph G{\nagnt a{\npromt `x`\nwrites  x\nstart=>a § b#c\n"),
    ).toMatchInlineSnapshot(`
      "graph G {
        agnt a {
          promt \`x\`
          writes x
          start => a § b#c
      "
    `);
  });

  test("brackets that do not match cost indentation, no token", () => {
    expect(formatted("graph G {\n) a ( [ }\n}\n} ] type A = ( int")).toMatchInlineSnapshot(`
      "graph G {
        ) a ([}
      }
      }] type A = (int
      "
    `);
  });

  test.each([
    ["a prompt that is not closed", "model m = `abc\ntype A = int"],
    ["a hole that is not closed", "model m = `abc ${x\ntype A = int"],
    ["a comment that is not closed", "type A = int /* note"],
    ["deep nesting", "{\n".repeat(200)],
  ])("%s is refused", (_what, text) => {
    expect(refusal(text)).toMatchSnapshot();
  });

  test("a string that is not closed keeps its spaces", () => {
    expect(formatted('model  m="abc  \nmodel n = 1')).toBe('model m = "abc  \nmodel n = 1\n');
  });

  test("what would be another token without a space keeps its space", () => {
    expect(formatted("model m = 1 .5 + 1. 5 + - > 2")).toBe("model m = 1 .5 + 1. 5 + - > 2\n");
  });
});
