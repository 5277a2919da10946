/** The fuzzer finds what random bytes do not, and each target stands some inputs: `make fuzz` tries them for minutes. */
import { expect, it, test } from "vitest";
import { type FuzzTarget, fuzz } from "./coverage-fuzzer.ts";
import { plantedFault } from "./planted-fault.ts";
import { targets } from "./targets.ts";

const planted: FuzzTarget = {
  name: "planted",
  seeds: async () => [Buffer.from("an order")],
  run: plantedFault,
};

const faultsOf = async (isGuided: boolean) => {
  const { findings } = await fuzz(planted, { seed: 1, runsMax: 3_000, isGuided });
  return findings.map(({ input, error }) => [input.toString("hex", 0, 4), (error as Error).message]);
};

test("finds a fault behind four bytes, each of which leads on, which as many random changes do not find", async () => {
  expect(await faultsOf(false)).toEqual([]);
  expect(await faultsOf(true)).toEqual([["7f8001ff", "the planted fault"]]);
});

test("tries the same inputs with the same seed, and others with another", async () => {
  const inputsOf = async (seed: number) => {
    const inputs: string[] = [];
    await fuzz(planted, { seed, runsMax: 200, onInput: (input) => inputs.push(input.toString("hex")) });
    return inputs;
  };
  const first = await inputsOf(1);
  expect(await inputsOf(1)).toEqual(first);
  expect(await inputsOf(2)).not.toEqual(first);
});

it.each(targets)("$name", async (target) => {
  const { findings, runs } = await fuzz(target, { seed: 1, runsMax: 32 });
  expect(findings).toEqual([]);
  expect(runs).toBe(32);
});
