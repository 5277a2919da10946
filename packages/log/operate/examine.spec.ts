/** What `packshot doctor` finds on real nats-servers. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readSettings } from "@packshot/platform/config/settings.ts";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { startConfiguredNats } from "../../../testing/servers/configured-nats.ts";
import { onFreePorts } from "../../../testing/servers/free-ports.ts";
import { type SecuredNats, startSecuredNats } from "../../../testing/servers/secured-nats.ts";
import { connectNats } from "../nats/connection.ts";
import { examineNats } from "./examine.ts";
import { migrateLog } from "./migrate.ts";

let secured: SecuredNats;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "packshot-doctor-"));
  secured = await startSecuredNats();
}, 180_000);
afterAll(async () => {
  await secured?.stop();
  rmSync(folder, { recursive: true });
});

async function findings(environment: Readonly<Record<string, string>>): Promise<string[]> {
  const found = await examineNats(readSettings(environment));
  return found.map(({ check, state, message }) => `${state} ${check}: ${message}`);
}

it("finds a cluster ready with the doctor's own credentials", async () => {
  expect(await findings(secured.environment("doctor"))).toContainEqual(
    expect.stringMatching(/^warning nats log: .*packshot migrate/),
  );
  const migrator = await connectNats(secured.settings("migrate"));
  await migrateLog(migrator, { replicas: 3 });
  await migrator.close();
  const found = await findings(secured.environment("doctor"));
  expect(found.filter((line) => /^ok nats: packshot-\d is nats-server 2\./.test(line))).toHaveLength(3);
  expect(found).toContainEqual(expect.stringMatching(/^ok nats log: .* 3 of 3 replicas current/));
  expect(found).toContainEqual(expect.stringMatching(/^ok clock: within \d+ ms/));
  expect(found).toContainEqual(expect.stringMatching(/^ok nats limits: /));
  expect(found).toContainEqual(expect.stringMatching(/^warning nats sync: .*PACKSHOT_NATS_MONITOR_URLS/));
  expect(found.filter((line) => line.startsWith("fault"))).toEqual([]);
});

it("says of wrong credentials which setting to look at, and of a clock how far it is away", async () => {
  const { PACKSHOT_NATS_NKEY_SEED_FILE, ...anonymous } = secured.environment("doctor");
  expect(await findings(anonymous)).toContainEqual(
    expect.stringMatching(/^fault nats: .*PACKSHOT_NATS_NKEY_SEED_FILE/),
  );
  const realNow = Date.now;
  const clock = vi.spyOn(Date, "now").mockImplementation(() => realNow() + 3_600_000);
  expect(await findings(secured.environment("doctor"))).toContainEqual(
    expect.stringMatching(/^fault clock: 3600\.\d s away/),
  );
  clock.mockRestore();
});

it.each([
  ["always", /^ok nats sync: .* writes to disk before it confirms/],
  ["2m", /^fault nats sync: .*sync_interval: always/],
])("sees at the monitoring that sync_interval is %s", async (interval, text) => {
  await onFreePorts(1, async ([port]) => {
    const store = JSON.stringify(join(folder, interval));
    const server = await startConfiguredNats(
      `http: "127.0.0.1:${port}"\njetstream { store_dir: ${store}, sync_interval: ${interval} }`,
    );
    const found = await findings({
      PACKSHOT_NATS_URL: `nats://127.0.0.1:${server.port}`,
      PACKSHOT_NATS_MONITOR_URLS: `http://127.0.0.1:${port}`,
    });
    await server.stop();
    expect(found).toContainEqual(expect.stringMatching(text));
  });
});

it("finds no JetStream, and no room for what the log may take", async () => {
  const plain = await startConfiguredNats("");
  const url = (server: { readonly port: number }) => ({ PACKSHOT_NATS_URL: `nats://127.0.0.1:${server.port}` });
  expect(await findings(url(plain))).toContainEqual(expect.stringMatching(/^fault nats: .* without JetStream/));
  await plain.stop();
  const limits = "accounts { A { jetstream { max_file: 1MB }, users: [{ user: u, password: p }] } }\nno_auth_user: u";
  const small = await startConfiguredNats(
    `jetstream { store_dir: ${JSON.stringify(join(folder, "small"))} }\n${limits}`,
  );
  expect(await findings(url(small))).toContainEqual(
    expect.stringMatching(/^fault nats limits: .*PACKSHOT_LOG_MAX_BYTES/),
  );
  await small.stop();
});
