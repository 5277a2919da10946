import { expect, test } from "vitest";
import { createPlaces, type Place } from "./places.ts";

/** A place that its job has lent, and what ends the wait. */
async function lentPlace(places: { take(): Place }, freed: () => Promise<void>) {
  const wait = Promise.withResolvers<void>();
  const place = places.take();
  const told = freed();
  const goneOn = place.lend(() => wait.promise);
  await told;
  return { place, wait, goneOn };
}

function placesOf(count: number) {
  let tell = () => {};
  const places = createPlaces(count, () => tell());
  return { places, freed: () => new Promise<void>((resolve) => (tell = resolve)) };
}

test("a place is free again when its job leaves, once", () => {
  const { places } = placesOf(1);
  const place = places.take();
  expect(places.isFree).toBe(false);
  place.leave();
  place.leave();
  expect(places.isFree).toBe(true);
  places.take();
  expect(places.isFree).toBe(false);
});

test("a wait that is short keeps its place", async () => {
  const { places } = placesOf(1);
  const place = places.take();
  await place.lend(async () => {});
  expect(places.isFree).toBe(false);
});

test("a lent place is another's, and who lent it goes on when one is free", async () => {
  const { places, freed } = placesOf(1);
  const { place, wait, goneOn } = await lentPlace(places, freed);
  expect(places.isFree).toBe(true);
  const other = places.take();
  wait.resolve();
  let isOn = false;
  void goneOn.then(() => (isOn = true));
  await Promise.resolve();
  expect(isOn).toBe(false);
  other.leave();
  await goneOn;
  expect(places.isFree).toBe(false);
  place.leave();
  expect(places.isFree).toBe(true);
});

test("a wait that fails leaves nothing taken", async () => {
  const { places, freed } = placesOf(1);
  const { place, wait, goneOn } = await lentPlace(places, freed);
  wait.reject(new Error("unreachable"));
  await expect(goneOn).rejects.toThrow("unreachable");
  place.leave();
  expect(places.isFree).toBe(true);
  places.take();
  expect(places.isFree).toBe(false);
});

test("what is pulled next is not kept waiting by those that go on", async () => {
  const { places, freed } = placesOf(1);
  const lenders = [await lentPlace(places, freed), await lentPlace(places, freed)];
  const other = places.take();
  for (const { wait } of lenders) wait.resolve();
  const told = freed();
  other.leave();
  await told;
  await lenders[0]!.goneOn;
  expect(places.isFree).toBe(false);
});
