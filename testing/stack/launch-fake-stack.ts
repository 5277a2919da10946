/** A launcher for a test to kill: starts a stack of fake services and prints its addresses. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { findNatsServer } from "../../cli/up/nats-server.ts";
import { startStack } from "../../cli/up/stack.ts";
import { fakeMains } from "./fake-stack.ts";

const dataDir = process.argv[2]!;
const stack = await startStack({
  dataDir,
  port: 0,
  workers: 1,
  allowSources: [],
  environment: { ...process.env, PACKSHOT_NATS_SERVER: findNatsServer(process.env) },
  say: () => {},
  signal: new AbortController().signal,
  mains: fakeMains(),
});
const natsPid = Number(readFileSync(join(dataDir, "nats", "nats-server.pid"), "utf8"));
process.stdout.write(`${JSON.stringify({ file: stack.file, natsPid })}\n`);
