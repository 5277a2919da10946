/**
 * Decides whether a delivery may wait in the queue, by how full that is. A retry waits up to a day there, so one account
 * with dead endpoints could fill what all accounts share. What may not wait ends as failed, and can be redelivered.
 */
import { streams } from "@packshot/domain/subjects.ts";
import { fillMax } from "@packshot/platform/nats/log-space.ts";

/** Of its bytes: above this no endpoint's deliveries wait. */
const fullFill = 0.9;

/**
 * Why a delivery may not wait, for people; undefined when it may. `fill`: the part of its bytes that the queue has.
 * `isFailing`: the endpoint has not succeeded since a failure, or its circuit is not closed.
 */
export function whyNotWait(fill: number, isFailing: boolean): string | undefined {
  if (fill > fullFill) return "too many deliveries wait";
  if (fill > fillMax(streams.deliveries) && isFailing) return "too many deliveries wait, and the endpoint is failing";
  return undefined;
}
