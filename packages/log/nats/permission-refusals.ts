/**
 * nats-server tells a client what it does not let it do, and the call itself may only time out. So what is refused is
 * logged: it means that the server's configuration was rendered for another version, or that a process has the
 * credentials of another service.
 */
import { errors, type NatsConnection } from "@nats-io/transport-node";
import type { Logger } from "@packshot/platform/telemetry/logger.ts";

/** Each subject is logged once, so many of them. */
const subjectsMax = 100;

export function logPermissionRefusals(connection: NatsConnection, logger: Logger): void {
  const logged = new Set<string>();

  async function follow(): Promise<void> {
    for await (const status of connection.status()) {
      if (status.type !== "error" || !(status.error instanceof errors.PermissionViolationError)) continue;
      const { operation, subject } = status.error;
      if (logged.size >= subjectsMax || logged.has(subject)) continue;
      logged.add(subject);
      logger.error(
        { operation, subject },
        "nats-server does not let this service do that: are these its own credentials, and the server's permissions of this version?",
      );
    }
  }
  void follow();
}
