import { expect, it } from "vitest";
import { createSingleFlight } from "./single-flight.ts";

it("shares the result of a running call, and calls anew when that has ended", async () => {
  const flight = createSingleFlight<number>();
  let calls = 0;
  const act = async () => ++calls;
  const shared = [flight.run("a", act), flight.run("a", act), flight.run("b", act)];
  expect(flight.isRunning("a")).toBe(true);
  expect(await Promise.all(shared)).toEqual([1, 1, 2]);
  expect(flight.isRunning("a")).toBe(false);
  expect(await flight.run("a", act)).toBe(3);
});

it("shares a failure too, and tries again after it", async () => {
  const flight = createSingleFlight<string>();
  const failing = () => flight.run("a", () => Promise.reject(new Error("no")));
  expect((await Promise.allSettled([failing(), failing()])).map(({ status }) => status)).toEqual([
    "rejected",
    "rejected",
  ]);
  expect(await flight.run("a", async () => "yes")).toBe("yes");
});
