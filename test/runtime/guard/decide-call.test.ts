import { describe, expect, test } from "vitest";
import {
  type Baseline,
  decideCall,
  type Guard,
  type GuardedCall,
} from "../../../runtime/scheduler/guard/decide-call.ts";

const CALL: GuardedCall = {
  tool: "mail.send",
  args: { to: "ada@example.org" },
  effect: "external",
  baseline: "maybe",
  isTainted: false,
};

function decide(call: Partial<GuardedCall>, guard: Guard, isAsked = false): string {
  const ruling = decideCall({ ...CALL, ...call }, guard, isAsked);
  if (ruling.may !== "ask") return ruling.may;
  return ruling.isJudged && ruling.judge !== undefined ? "judge" : "ask";
}

describe("M110 M111 the table of policies", () => {
  const judge = "m";
  test.each<[NonNullable<Guard["approve"]>, Baseline, GuardedCall["guess"], string, string]>([
    // policy, baseline, the caller's guess; without a judge, with one
    ["never", "never", undefined, "call", "call"],
    ["never", "maybe", "always", "call", "call"],
    ["never", "always", "always", "call", "call"],
    ["always", "never", "never", "ask", "ask"],
    ["always", "maybe", "never", "ask", "ask"],
    ["always", "always", "never", "ask", "ask"],
    ["conservative", "never", "always", "call", "call"],
    ["conservative", "maybe", undefined, "ask", "judge"],
    ["conservative", "maybe", "never", "ask", "judge"],
    ["conservative", "maybe", "always", "ask", "judge"],
    ["conservative", "always", "never", "ask", "ask"],
    ["permissive", "never", "always", "call", "call"],
    ["permissive", "maybe", undefined, "ask", "ask"],
    ["permissive", "maybe", "never", "call", "call"],
    ["permissive", "maybe", "always", "ask", "ask"],
    ["permissive", "always", "never", "ask", "ask"],
  ])(
    "%s, baseline %s, guess %s: %s, with a judge %s",
    (approve, baseline, guess, alone, judged) => {
      const call = { baseline, ...(guess === undefined ? {} : { guess }) };
      expect(decide(call, { approve })).toBe(alone);
      expect(decide(call, { approve, judge })).toBe(judged);
    },
  );

  test("without a policy nothing is asked, and a clause of the node asks", () => {
    expect(decide({ baseline: "always" }, {})).toBe("call");
    expect(decide({ baseline: "never" }, {}, true)).toBe("ask");
    expect(decide({ baseline: "never" }, { approve: "never" }, true)).toBe("ask");
  });
});

describe("M116 what the classifier of a tool says of one call", () => {
  test.each([
    ["allow", "conservative", "call"],
    ["allow", "always", "ask"],
    ["ask", "conservative", "ask"],
    ["ask", "never", "call"],
    ["deny", "never", "refuse"],
    ["deny", "always", "refuse"],
  ] as const)("%s under %s: %s", (decision, approve, expected) => {
    const classified = { decision, reason: "it says so" };
    expect(decide({ classified }, { approve, judge: "m" })).toBe(expected);
  });

  test("a refusal needs no policy", () => {
    const classified = { decision: "deny", reason: "it wipes the disk" } as const;
    expect(decideCall({ ...CALL, classified }, {}, false)).toEqual({
      may: "refuse",
      by: "classifier",
      reason: "it wipes the disk",
    });
  });
});

describe("M31 addresses", () => {
  const urls = { allow: ["example.org", "docs.test/guide"], block: ["example.org/admin"] };
  const visit = (url: string) => decideCall({ ...CALL, args: { url } }, { urls }, false);

  test.each([
    ["https://example.org/a", "call"],
    ["http://www.example.org", "call"],
    ["https://example.org/admin/users", "refuse"],
    ["https://docs.test/guide/1", "call"],
    ["https://docs.test/guidebook", "ask"],
    ["about:blank", "call"],
    ["file:///etc/passwd", "refuse"],
    ["javascript:alert(1)", "refuse"],
    ["https://other.test", "ask"],
    ["https://example.org.evil.test/", "ask"],
  ])("%s: %s", (url, may) => {
    expect(visit(url).may).toBe(may);
  });

  test("a question about a host holds for the host, and is answered once a run", () => {
    expect(visit("https://other.test/x")).toMatchObject({
      may: "ask",
      about: "host other.test",
      isKept: true,
      isJudged: false,
    });
  });

  test("what is asked for another reason too is remembered for both", () => {
    const guard = { urls, approve: "always" } as const;
    expect(
      decideCall({ ...CALL, args: { url: "https://other.test" } }, guard, false),
    ).toMatchObject({ about: "mail.send host other.test", isKept: false });
  });

  test("a text that only has an address in it is none, and neither is that of a tool that stays here", () => {
    const args = { text: "see https://other.test" };
    expect(decide({ args }, { urls })).toBe("call");
    const note = { args: { url: "https://other.test" }, effect: "workspace" } as const;
    expect(decide(note, { urls })).toBe("call");
    expect(decide({ ...note, targets: ["url"] }, { urls })).toBe("ask");
    expect(decide({ args: { url: "other.test" }, targets: ["url"] }, { urls })).toBe("ask");
  });
});

describe("what is trusted", () => {
  const trusted = ["Write to ada@example.org about invoice number 17."];

  test.each([
    [{ to: "ada@example.org" }, "call"],
    [{ to: "ADA@example.org" }, "call"],
    [{ to: "eve@evil.test" }, "ask"],
    [{ to: "ada@example.org", cc: "eve@evil.test" }, "ask"],
    [{ to: ["ada@example.org", { address: "eve@evil.test" }] }, "ask"],
    [{ to: { "eve@evil.test": true } }, "ask"],
    [{ invoice: 17 }, "call"],
    [{ invoice: 1 }, "ask"],
    ["eve@evil.test", "ask"],
  ])("%j: %s", (args, expected) => {
    expect(decide({ args }, { trusted })).toBe(expected);
  });

  test("a tool that says which arguments are targets is asked about for no other", () => {
    const args = { to: "ada@example.org", text: "Hello" };
    expect(decide({ args }, { trusted })).toBe("ask");
    expect(decide({ args, targets: ["to"] }, { trusted })).toBe("call");
    expect(decide({ args: { ...args, mode: "plain" }, fixed: ["text", "mode"] }, { trusted })).toBe(
      "call",
    );
  });

  test("a person is asked, and no judge, about a target that nothing trusted names", () => {
    const guard = { trusted, approve: "conservative", judge: "m" } as const;
    const strange = decideCall({ ...CALL, args: { to: "eve@evil.test" } }, guard, true);
    expect(strange).toMatchObject({ may: "ask", isJudged: false });
  });

  test("a tool that stays in the workspace has no target", () => {
    expect(decide({ effect: "workspace", args: { path: "notes.md" } }, { trusted })).toBe("call");
  });

  test("the guess of a caller that has read what is not trusted approves nothing", () => {
    const call = { guess: "never", isTainted: true } as const;
    expect(decide(call, { approve: "permissive", trusted })).toBe("ask");
    expect(decide(call, { approve: "permissive" })).toBe("call");
    expect(decide({ ...call, isTainted: false }, { approve: "permissive", trusted })).toBe("call");
  });
});
