import { createHostResolver } from "@packshot/platform/outbound/host-resolver.ts";
import { afterEach, describe, expect, it } from "vitest";
import { type Answer, type NameServer, startNameServer } from "../../../testing/servers/name-server.ts";
import { type AddressWatch, watchAddresses } from "./server-addresses.ts";

const stops: (() => unknown)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
});

interface Seen {
  readonly watch: AddressWatch;
  readonly all: readonly string[][];
  next(): Promise<void>;
}

/** Watches a name whose name server gives `answer()`. */
async function watchName(target: string, answer: () => Answer): Promise<Seen & { readonly names: NameServer }> {
  const names = await startNameServer((question) => question.answer(answer()));
  const all: string[][] = [];
  let seen = Promise.withResolvers<void>();
  const watch = watchAddresses({
    target,
    resolve: createHostResolver({ servers: [names.address], hostsFile: "/dev/null", resolvConf: "/dev/null" }),
    everyMs: 5,
    onAddresses(addresses) {
      all.push([...addresses]);
      seen.resolve();
      seen = Promise.withResolvers();
    },
  });
  stops.push(() => names.stop(), watch.close);
  return { watch, all, names, next: () => seen.promise };
}

describe("the addresses of model servers", () => {
  it.each(["127.0.0.1:8001", "[::1]:8001", "unix:/run/model.sock"])("are %s itself", (target) => {
    const all: (readonly string[])[] = [];
    watchAddresses({ target, onAddresses: (addresses) => all.push(addresses) });
    expect(all).toEqual([[target]]);
  });

  it.each(["dns:///models.test:8001", "dns:models.test:8001", "models.test:8001"])(
    "are all of the name in %s, and change with it",
    async (target) => {
      let answer: Answer = ["127.0.0.3", "127.0.0.2"];
      const seen = await watchName(target, () => answer);
      await seen.next();
      answer = ["127.0.0.3", "127.0.0.4"];
      await seen.next();
      expect(seen.all).toEqual([
        ["127.0.0.2:8001", "127.0.0.3:8001"],
        ["127.0.0.3:8001", "127.0.0.4:8001"],
      ]);
      expect(seen.watch.problem()).toBeUndefined();
    },
  );

  it("are of one family, so that no server counts twice", async () => {
    let answer: Answer = ["127.0.0.2", "::2"];
    const seen = await watchName("models.test:1", () => answer);
    await seen.next();
    answer = ["::2", "::3"];
    await seen.next();
    expect(seen.all).toEqual([["127.0.0.2:1"], ["[::2]:1", "[::3]:1"]]);
  });

  it("stay as they were while the name servers fail or know no address", async () => {
    let answer: Answer = ["127.0.0.2"];
    let failures = 0;
    const failed = Promise.withResolvers<void>();
    const seen = await watchName("models.test:1", () => {
      if (answer !== "server failure" && answer !== "no such name") return answer;
      failures += 1;
      if (failures === 6) answer = "no such name";
      if (failures === 12) failed.resolve();
      return answer;
    });
    await seen.next();
    answer = "server failure";
    await failed.promise;
    expect(seen.all).toEqual([["127.0.0.2:1"]]);
    answer = ["127.0.0.3"];
    await seen.next();
    expect(seen.all.at(-1)).toEqual(["127.0.0.3:1"]);
  });

  it("are missing with a reason until the name has one", async () => {
    let answer: Answer = "no such name";
    const seen = await watchName("models.test:1", () => answer);
    await expect.poll(() => seen.watch.problem()).toMatch(/^cannot be found: .*models\.test/);
    answer = ["127.0.0.2"];
    await seen.next();
    expect(seen.watch.problem()).toBeUndefined();
  });
});
