/** The log on a connection of its own, and a commit to each of its state streams. */
import { subjects } from "@packshot/domain/subjects.ts";
import { createLog, type Log } from "@packshot/log/log.ts";
import { connectNats } from "@packshot/log/nats/connection.ts";
import { waitForSchema } from "@packshot/log/nats/schema.ts";
import { createLogger } from "@packshot/platform/telemetry/logger.ts";

/** With as many state streams as it was made with. Waits until it answers. */
export async function openLog({ url, name }: { readonly url: string; readonly name: string }): Promise<Log> {
  const connection = await connectNats({ url, name });
  const logger = createLogger({ name, level: "error" });
  const { stateStreams = 1 } = await waitForSchema({ connection, logger, onProblem: () => {} });
  return createLog(connection, { stateStreamCount: stateStreams });
}

/** One small record, which is overwritten the next time. */
export async function commitToStream(log: Log, streamIndex: number): Promise<void> {
  await log.commit("bench", [{ subject: subjects.cursor(streamIndex, "bench"), value: { v: 1 } }]);
}
