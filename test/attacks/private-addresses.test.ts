/** No form of an address, no name, no redirect and no second answer of a name server leads a tool to a private address. */
import type { LookupAddress } from "node:dns";
import { describe, expect, test } from "vitest";
import {
  isDeclaredHost,
  isPublicAddress,
  type ResolveName,
} from "../../runtime/agents/web/reachable-addresses.ts";
import { createWebTools } from "../../runtime/index.ts";
import { serveSite } from "../runtime/agents/web/site.ts";
import { holdCaseCount } from "./attack-table.ts";

/** Resolves each name to these addresses; asked a further time, to the next. */
function resolver(...answers: readonly (readonly string[])[]): ResolveName {
  const left = [...answers];
  const resolve = (_: string, __: unknown, done: (error: null, found: LookupAddress[]) => void) => {
    const [addresses = []] = left.length > 1 ? left.splice(0, 1) : left;
    done(
      null,
      addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })),
    );
  };
  return resolve as unknown as ResolveName;
}

test.each([
  "127.0.0.1",
  "2130706433",
  "0x7f.1",
  "0177.0.0.1",
  "127.1",
  "0.0.0.0",
  "10.1.2.3",
  "172.16.0.1",
  "192.168.1.1",
  "100.64.0.1",
  "169.254.169.254",
  "192.0.2.1",
  "224.0.0.1",
  "255.255.255.255",
  "[::1]",
  "[::]",
  "[::ffff:127.0.0.1]",
  "[::ffff:a00:1]",
  "[64:ff9b::7f00:1]",
  "[2002:7f00:1::]",
  "[fe80::1]",
  "[fd00:ec2::254]",
  "[ff02::1]",
  "①②⑦.0.0.1",
  "localhost",
])("`%s` is refused", async (host) => {
  await expect(createWebTools().read({ url: `http://${host}:9/` })).rejects.toMatchObject({
    code: "M8601",
  });
});

test.each([["93.184.215.14"], ["2606:4700::1111"]])("`%s` is public", (address) => {
  expect(isPublicAddress(address)).toBe(true);
});

describe("a site on a private address", () => {
  const open = async () => await serveSite({ "/": "<p>secret</p>" });

  test("is not reached by a name for it, nor by one with a public address beside it", async () => {
    const { host, asked } = await open();
    const port = host.split(":")[1];
    for (const addresses of [["127.0.0.1"], ["93.184.215.14", "127.0.0.1"], ["::ffff:127.0.0.1"]]) {
      const web = createWebTools({ resolveName: resolver(addresses) });
      const read = web.read({ url: `http://inside.test:${port}/` });
      await expect(read).rejects.toMatchObject({ code: "M8601" });
    }
    expect(asked).toEqual([]);
  });

  test("is not reached by a name that changes between the look and the connection", async () => {
    const { host, asked } = await open();
    const port = host.split(":")[1];
    const options = {
      robots: false,
      timeoutMs: 300,
      resolveName: resolver(["192.0.2.1"], ["127.0.0.1"]),
    };
    const web = createWebTools(options);
    for (let turn = 0; turn < 3; turn += 1) {
      await expect(web.read({ url: `http://turning.test:${port}/` })).rejects.toMatchObject({
        code: "M8601",
      });
    }
    expect(asked).toEqual([]);
  });

  test("is not reached by a redirect of a declared site", async () => {
    const inner = await open();
    const outer = await serveSite({ "/": { status: 302, headers: { location: inner.url("/") } } });
    const web = createWebTools({ privateHosts: [outer.host] });
    await expect(web.read({ url: outer.url("/") })).rejects.toMatchObject({ code: "M8601" });
    expect([outer.asked, inner.asked]).toEqual([["/"], []]);
  });

  test("is reached where the program or the environment declares it", async () => {
    const { host, url } = await open();
    const declared = await createWebTools({ privateHosts: [host] }).read({ url: url("/") });
    expect(declared.text).toBe("secret");
    process.env.MADRIGAL_WEB_PRIVATE = `elsewhere, ${host}`;
    try {
      expect((await createWebTools().read({ url: url("/") })).text).toBe("secret");
    } finally {
      delete process.env.MADRIGAL_WEB_PRIVATE;
    }
  });
});

test.each<[string, string, boolean]>([
  ["http://127.0.0.1:8080/", "127.0.0.1:8080", true],
  ["http://127.0.0.1:8081/", "127.0.0.1:8080", false],
  ["https://localhost/", "localhost:443", true],
  ["http://localhost:3000/", "localhost", true],
  ["http://a.internal.test/", "*.internal.test", true],
  ["http://internal.test/", "*.internal.test", false],
  ["http://evilinternal.test/", "*.internal.test", false],
])("%s is declared by `%s`: %s", (url, host, isDeclared) => {
  expect(isDeclaredHost(new URL(url), [host])).toBe(isDeclared);
});

holdCaseCount();
