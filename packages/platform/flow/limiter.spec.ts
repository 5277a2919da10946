import { describe, expect, it } from "vitest";
import { createLimiter } from "./limiter.ts";

function acts() {
  const started: string[] = [];
  const ends = new Map<string, PromiseWithResolvers<void>>();
  const act = (name: string) => async () => {
    started.push(name);
    const ending = Promise.withResolvers<void>();
    ends.set(name, ending);
    await ending.promise;
  };
  return { started, act, end: (name: string) => ends.get(name)!.resolve() };
}

describe("a limiter", () => {
  it("starts no more than its limit, urgent acts first, the others in order", async () => {
    const { started, act, end } = acts();
    const limit = createLimiter(2);
    const first = limit(act("first"), false);
    const others = ["second", "third", "fourth"].map((name) => limit(act(name), false));
    const urgent = limit(act("urgent"), true);
    await Promise.resolve();
    expect(started).toEqual(["first", "second"]);
    end("first");
    await first;
    await Promise.resolve();
    expect(started).toEqual(["first", "second", "urgent"]);
    end("urgent");
    await urgent;
    await Promise.resolve();
    expect(started).toEqual(["first", "second", "urgent", "third"]);
    end("second");
    end("third");
    await others[1];
    await Promise.resolve();
    expect(started.at(-1)).toBe("fourth");
    end("fourth");
    await Promise.all(others);
  });

  it("starts the next act when one fails", async () => {
    const limit = createLimiter(1);
    await expect(limit(() => Promise.reject(new Error("no")))).rejects.toThrow("no");
    expect(await limit(async () => "yes")).toBe("yes");
  });
});
