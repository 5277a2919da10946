import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type NatsServer, startNatsServer } from "./nats-server.ts";

const sayEveryMs = 500;
const hangsMs = 2_000;
/** On a busy machine a server that has just been started reads nothing for seconds. */
const recoversMs = 6_000;
/** By then it has read for longer than one that does nothing may take. */
const saidWhileReading = recoversMs / sayEveryMs + 2;
const fakeServer = fileURLToPath(new URL("../../testing/stack/fake-nats-server.ts", import.meta.url));

let folder: string;
let server: NatsServer | undefined;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "packshot-recovery-"));
});

afterEach(async () => {
  await server?.stop();
  server = undefined;
  rmSync(folder, { recursive: true, force: true });
});

async function start(fate: "recovers" | "hangs", say: (line: string) => void, signal?: AbortSignal): Promise<void> {
  const program = join(folder, "nats-server");
  writeFileSync(program, `#!/bin/sh\nexec "${process.execPath}" "${fakeServer}" ${fate} "$@"\n`);
  chmodSync(program, 0o755);
  server = await startNatsServer({
    program,
    folder,
    port: 0,
    name: "fake",
    logPath: join(folder, "nats-server.log"),
    say,
    stallTimeoutMs: fate === "hangs" ? hangsMs : recoversMs,
    sayEveryMs,
    ...(signal && { signal }),
  });
}

test("a server that reads its log is waited for, longer than one that does nothing, and this is said", async () => {
  const said: string[] = [];
  await start("recovers", (line) => {
    said.push(line);
    if (said.length === saidWhileReading) writeFileSync(join(folder, "recovered"), "");
  });
  expect(said.length).toBeGreaterThanOrEqual(saidWhileReading);
  expect(said).toContainEqual(
    expect.stringMatching(/^nats-server recovers its log: \d+ s, still working, \d+ MB read$/),
  );
});

test("a server that does nothing is given up", async () => {
  const said: string[] = [];
  await expect(start("hangs", (line) => said.push(line))).rejects.toThrow(
    /^nats-server was not ready and has not got ahead for 2 s/,
  );
  expect(said.at(-1)).toMatch(/but it does nothing$/);
});

test("a stop does not wait for a server that reads its log", async () => {
  const stop = new AbortController();
  await expect(start("recovers", () => stop.abort(), stop.signal)).rejects.toThrow("stopped while starting.");
});
