import { expect, vi } from "vitest";
import type { LiveStack } from "./live-stack.ts";

/** Until ai-bg's `engines` are these, as workers come to know which image models are served. */
export async function waitForEngines(stack: LiveStack, expected: readonly string[], timeout = 30_000): Promise<void> {
  const engines = async () =>
    ((await (await stack.call("GET", "/v1/tools/ai-bg")).json()) as { engines: string[] }).engines;
  await vi.waitFor(async () => expect(await engines()).toEqual(expected), { timeout, interval: 200 });
}
