/** Addresses that pose as allowed ones. */
import { expect, test } from "vitest";
import { decideCall } from "../../runtime/scheduler/guard/decide-call.ts";
import { holdCaseCount } from "./attack-table.ts";

const urls = {
  allow: ["example.org"],
  block: ["example.org/admin", "127.0.0.1", "169.254.169.254", "[::1]"],
};

function visit(url: string): string {
  const call = {
    tool: "visit",
    args: { url },
    effect: "external",
    baseline: "never",
    isTainted: true,
  } as const;
  return decideCall(call, { urls }, false).may;
}

test.each([
  ["an allowed host as the user", "https://example.org@evil.test/"],
  ["a password", "https://example.org:x@evil.test/"],
  ["a host that ends alike", "https://evilexample.org/"],
  ["a host that begins alike", "https://example.org.evil.test/"],
  ["a backslash", "https://evil.test\\@example.org/"],
  ["a letter of another script", "https://exаmple.org/"],
  ["a tab within", "https://evil.test/\texample.org"],
  ["a line break within the scheme", "ht\ntps://evil.test"],
  ["no scheme", "//evil.test/example.org"],
  ["spaces around", "  https://evil.test  "],
  ["a path that names it", "https://evil.test/https://example.org"],
  ["a fragment that names it", "https://evil.test#example.org"],
])("not allowed, %s: %j", (_, url) => {
  expect(visit(url)).not.toBe("call");
});

test.each([
  ["a path with dots", "https://example.org/a/../admin"],
  ["an encoded letter", "https://example.org/%61dmin"],
  ["an encoded dot", "https://example.org/a/%2e%2e/admin"],
  ["two slashes", "https://example.org//admin"],
  ["a dot behind the host", "https://example.org./admin"],
  ["capitals in the host", "https://EXAMPLE.ORG/admin"],
  ["a host below", "https://www.example.org/admin/x"],
  ["the machine itself, as a number", "http://2130706433/"],
  ["the machine itself, in octal", "http://0177.0.0.1/"],
  ["the machine itself, in hexadecimal", "http://0x7f.1/"],
  ["the machine itself, cut short", "http://127.1/"],
  ["the machine itself, by IPv6", "http://[0:0:0:0:0:0:0:1]/"],
  ["the metadata of a cloud, as a number", "http://2852039166/latest/meta-data"],
  ["a file", "file:///etc/passwd"],
  ["a program", "javascript:fetch('https://evil.test')"],
  ["data", "data:text/html,<script>1</script>"],
  ["a program in capitals", "JaVaScRiPt:alert(1)"],
  ["a program with a line break", "java\nscript:alert(1)"],
  ["another protocol", "ftp://example.org/"],
])("refused, %s: %j", (_, url) => {
  expect(visit(url)).toBe("refuse");
});

holdCaseCount();
