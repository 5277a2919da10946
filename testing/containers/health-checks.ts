/** Runs containers' health checks every second, as systemd's timers do for podman where there is systemd. */
import { pause } from "@packshot/platform/flow/pause.ts";
import type { Engine } from "./engine.ts";

const everyMs = 1_000;
const checkTimeoutMs = 20_000;

/** For all containers with this label, until the function it returns is called; that resolves when none runs any more. */
export function runHealthChecks(engine: Engine, label: string): () => Promise<void> {
  const ending = new AbortController();
  async function checkAll(): Promise<void> {
    const listed = await engine.podman(["ps", "--quiet", "--filter", `label=${label}`]).catch(() => "");
    // It fails where the container is not healthy, has no check or has gone: podman keeps what it found.
    const check = (id: string) =>
      engine.podman(["healthcheck", "run", id], { timeoutMs: checkTimeoutMs }).catch(() => "");
    for (const id of listed.split("\n").filter(Boolean)) await check(id);
  }
  const running = (async () => {
    while (!ending.signal.aborted) {
      await checkAll();
      await pause(everyMs, ending.signal);
    }
  })();
  return async () => {
    ending.abort();
    await running;
  };
}
