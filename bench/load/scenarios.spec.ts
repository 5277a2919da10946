import { expect, test } from "vitest";
import { scenarioNames, withThoseBefore } from "./scenarios.ts";

test("a scenario that needs the knee or the newcomer's own latency brings what finds them", () => {
  expect(withThoseBefore(["soak"], false)).toEqual(["ramp", "soak"]);
  expect(withThoseBefore(["soak"], true)).toEqual(["soak"]);
  expect(withThoseBefore(["noisy-tenant", "smoke"], false)).toEqual([
    ...["smoke", "ramp", "newcomer-alone", "noisy-tenant"],
  ]);
  expect(withThoseBefore(["smoke"], false)).toEqual(["smoke"]);
  expect(withThoseBefore(scenarioNames, false)).toEqual(scenarioNames);
});
