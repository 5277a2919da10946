import { createReadiness } from "@packshot/platform/lifecycle/readiness.ts";
import { onStopRequest } from "@packshot/platform/lifecycle/run.ts";
import { createLogger } from "@packshot/platform/telemetry/logger.ts";
import { expect, test } from "vitest";
import { startLog } from "../../testing/log/test-log.ts";
import { suiteFixture } from "../../testing/suite-fixture.ts";
import { connectLog } from "./connect-log.ts";

const server = suiteFixture(startLog);

async function connect() {
  return await connectLog({
    url: server.nats.url,
    name: "test",
    streams: [],
    readiness: createReadiness(),
    logger: createLogger({ name: "test", level: "silent" }),
    observer: { batchAnswered: () => {}, committed: () => {} },
  });
}

test("a process asks for a new one when its client has given up, and not when it stops by itself", async () => {
  const requests: string[] = [];
  onStopRequest((reason) => requests.push(reason));
  const stopped = await connect();
  for (const component of stopped.components.toReversed()) await component.stop();
  expect(requests).toEqual([]);
  const { log } = await connect();
  await log.connection.close();
  await expect.poll(() => requests).toEqual(["the connection to nats-server was closed: by the client"]);
});
