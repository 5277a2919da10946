/**
 * A fake nats-server for tests of its launcher. Run as `node fake-nats-server.ts FATE -c CONFIG`: one that "recovers" reads
 * until there is a file `recovered` in the folder of its configuration, one that "hangs" does nothing.
 */

import { closeSync, existsSync, openSync, readFileSync, readSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";

const readEveryMs = 10;
const readBytes = 4 * 1024 * 1024;

const [fate, , configPath] = process.argv.slice(2);
const config = readFileSync(configPath!, "utf8");
const setting = (name: string) => JSON.parse(new RegExp(`^${name}: (.*)$`, "m").exec(config)![1]!) as string;
writeFileSync(setting("pid_file"), String(process.pid));

function listen(): void {
  const server = createServer((_request, response) => response.end());
  server.listen(0, "127.0.0.1", () => {
    const address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    const ports = { nats: [`nats://${address}`], monitoring: [`http://${address}`] };
    writeFileSync(join(setting("ports_file_dir"), "fake.ports"), JSON.stringify(ports));
  });
}

if (fate === "hangs") setInterval(() => {}, 60_000);
else {
  const buffer = Buffer.alloc(readBytes);
  const reading = setInterval(() => {
    const file = openSync("/dev/zero", "r");
    readSync(file, buffer);
    closeSync(file);
    if (!existsSync(join(dirname(configPath!), "recovered"))) return;
    clearInterval(reading);
    listen();
  }, readEveryMs);
}
