/** A launcher to be killed: starts a stack of pretenders and says where it is. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { startStack } from "../../cli/up/stack.ts";
import { fakeMains } from "./fake-stack.ts";
import { natsServerProgram } from "../servers/nats.ts";

const dataDir = process.argv[2]!;
const stack = await startStack({
  dataDir,
  port: 0,
  workers: 1,
  allowSources: [],
  environment: { ...process.env, PACKSHOT_NATS_SERVER: natsServerProgram() },
  say: () => {},
  signal: new AbortController().signal,
  mains: fakeMains(),
});
const natsPid = Number(readFileSync(join(dataDir, "nats", "nats-server.pid"), "utf8"));
process.stdout.write(`${JSON.stringify({ file: stack.file, natsPid })}\n`);
