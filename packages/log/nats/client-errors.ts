/** Errors of the JetStream client as errors of the log. Apart from these, so that processes without a log load no client. */

import { JetStreamError as ClientError, JetStreamApiError } from "@nats-io/jetstream";
import { LogRefused, LogUnreachable } from "./errors.ts";

/** What the client of JetStream throws, as errors of the log; others as they are. */
export function toLogError(operation: string, error: unknown): unknown {
  if (error instanceof JetStreamApiError) return new LogRefused(operation, error.apiError());
  const isUnanswered = error instanceof ClientError || (error instanceof Error && error.name === "JetStreamNotEnabled");
  return isUnanswered ? new LogUnreachable(operation, error.message) : error;
}
