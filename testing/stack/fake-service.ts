/**
 * A fake service for tests of the launcher: prints the ready line, answers the few requests that `up` makes and stops
 * as services do. Run as `node fake-service.ts NAME [fail|crash|stops-with-another]`.
 */

import { mkdirSync, readdirSync, renameSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";

const [name, fate] = process.argv.slice(2);
const port = name === "api" ? Number(process.env.PACKSHOT_API_PORT) : 0;

if (fate === "fail") {
  process.stdout.write(`${JSON.stringify({ msg: "failed", name, reason: "the disk is full." })}\n`);
  process.exit(1);
}

const server = createServer((request, response) => {
  if (request.url === "/crash") process.exit(7);
  const answers: Record<string, unknown> = {
    "POST /admin/v1/accounts": { accountId: "a-1" },
    "POST /admin/v1/accounts/a-1/keys": { id: "k-1", key: `ps_live_${process.hrtime.bigint()}` },
    "GET /pid": { pid: process.pid },
    "GET /allowed-webhooks": process.env.PACKSHOT_ALLOW_WEBHOOKS,
    "GET /secrets": Object.keys(process.env).filter((key) => /^PACKSHOT_.*_(KEY|TOKEN)$/.test(key)),
  };
  response.end(JSON.stringify(answers[`${request.method} ${request.url}`] ?? {}));
});

server.listen(port, "127.0.0.1", () => {
  const address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const addresses = { api: address, admin: address, metrics: address, grpcPort: address, httpPort: address };
  process.stdout.write(`${JSON.stringify({ msg: "ready", name, ...addresses })}\n`);
});

process.on("SIGTERM", () => (fate === "stops-with-another" ? stopWithAnother() : process.exit(0)));
process.stdin.on("close", () => process.exit(0)).resume();

/** Drains until a second process of this fate stops too. The renamed file shows that this one was not killed. */
function stopWithAnother(): void {
  const folder = join(process.env.PACKSHOT_STORAGE_DIR!, "stops");
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${process.pid}`);
  writeFileSync(file, "");
  setInterval(() => {
    if (readdirSync(folder).length < 2) return;
    renameSync(file, `${file}.drained`);
    process.exit(0);
  }, 20);
}
