import { afterAll, beforeAll } from "vitest";

/**
 * What `start` makes, for all tests of the file or `describe` that calls this: started before them and stopped after
 * them. Its fields are there once the hooks and tests run.
 *
 * @param timeoutMs of its start and of its stop; absent: that of all hooks
 */
export function suiteFixture<T extends { stop(): Promise<void> }>(start: () => Promise<T>, timeoutMs?: number): T {
  const fixture = {} as T;
  let stop: (() => Promise<void>) | undefined;
  beforeAll(async () => {
    const started = await start();
    stop = () => started.stop();
    Object.assign(fixture, started);
  }, timeoutMs);
  afterAll(() => stop?.(), timeoutMs);
  return fixture;
}
