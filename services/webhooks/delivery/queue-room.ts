/**
 * Decides whether a delivery may wait in the queue, by how full that is. A retry waits up to a day there, and nats-server
 * cannot limit a stream with schedules: at the default size 181,000 waiting deliveries of one account with dead endpoints
 * would fill what all accounts share. Edits used to be refused then; deliveries are dropped instead:
 *
 *   fill of the queue     failing endpoint   other endpoint
 *   up to half            waits              waits
 *   more than half        ends as failed     waits
 *   more than nine tenths ends as failed     ends as failed
 *
 * Each was attempted at least once, or was due while the circuit was open or the concurrency limit was reached. Its last
 * attempt is logged as `abandoned` with the body, so `redeliver-failed` can send it for 72 hours; a new outcome would have broken
 * clients that know five. An endpoint that succeeds now and then is not failing, so its retries can fill the queue up to
 * nine tenths. A share for each account would prevent that, at the price of counting bytes by account.
 */
import { streams } from "@packshot/domain/subjects.ts";
import { fillMax } from "@packshot/log/nats/streams.ts";

/** Share of the queue's bytes above which no endpoint's deliveries wait. */
const fullFill = 0.9;

/**
 * Why a delivery may not wait, for people; undefined when it may. `fill`: the part of its bytes that the queue has.
 * `isFailing`: the endpoint has not succeeded since a failure, or its circuit is not closed.
 */
export function refusalToQueue(fill: number, isFailing: boolean): string | undefined {
  if (fill > fullFill) return "too many deliveries wait";
  if (fill > fillMax(streams.deliveries) && isFailing) return "too many deliveries wait, and the endpoint is failing";
  return undefined;
}
