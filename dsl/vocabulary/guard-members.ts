/** Lists the members of the setting `guard`, by which a file says which calls of tools need a person. */
import { type MemberFault, type MemberTable, memberFaults } from "./members.ts";

/** The setting under which a file keeps its guard: `config { guard: { approve: "conservative", judge: m } }`. */
export const GUARD = "guard";

/** The policies of `guard.approve`, from the one that asks least. */
export const APPROVAL_POLICIES = ["never", "permissive", "conservative", "always"] as const;

/** A rule for which calls of tools a person is asked. */
export type ApprovalPolicy = (typeof APPROVAL_POLICIES)[number];

const ADDRESSES: MemberTable = {
  allow: {
    rule: { kind: "texts" },
    takes: "a list of addresses",
    example: 'allow: ["example.org", "docs.example.com/guide"]',
    about: "addresses that tools may reach; any other one is asked about once a host",
  },
  block: {
    rule: { kind: "texts" },
    takes: "a list of addresses",
    example: 'block: ["example.org/admin"]',
    about: "addresses that no tool may reach, whatever else is said",
  },
};

/** The members of `guard: { … }`. */
const GUARD_MEMBERS: MemberTable = {
  approve: {
    rule: { kind: "word", words: APPROVAL_POLICIES },
    takes: `one of ${APPROVAL_POLICIES.map((word) => `"${word}"`).join(", ")}`,
    example: 'approve: "conservative"',
    about: "the policy by which calls of tools are asked about",
  },
  judge: {
    rule: { kind: "text" },
    takes: "a model",
    example: "judge: small",
    about: "the model that judges calls under the policy `conservative`",
  },
  context: {
    rule: { kind: "number", min: 1 },
    takes: "how many of the last messages the judge reads, a whole number from 1",
    example: "context: 4",
    about: "the last messages of the agent that the judge of a call reads beside the call",
  },
  trust: {
    rule: { kind: "texts" },
    takes: "a list of names of parameters and fields, as texts",
    example: 'trust: ["question"]',
    about: "the values that may choose where an external call goes",
  },
  urls: {
    rule: { kind: "object", members: ADDRESSES, needs: ["allow", "block"] },
    takes: "an object",
    example: 'urls: { allow: ["example.org"] }',
    about: "the addresses that tools may reach",
  },
};

/** Returns all that is wrong with the value of the setting `guard`. */
export function guardFaults(value: unknown): readonly MemberFault[] {
  const example = 'guard: { approve: "conservative", judge: small }';
  return memberFaults(value, { name: GUARD, members: GUARD_MEMBERS, example });
}
