import { expect, test } from "vitest";
import { readReferences } from "../../../testing/generative/references.ts";
import { mix } from "./sampler.ts";
import { samplerOf } from "./scheduler-config.ts";

const cases = readReferences("samplers.json");
const within = 1e-5;

function expectClose(actual: ArrayLike<number>, expected: readonly number[], share = within): void {
  expect(actual.length).toBe(expected.length);
  const far = expected.map((value, at) => Math.abs(actual[at]! - value) / Math.max(1, Math.abs(value)));
  expect(Math.max(...far)).toBeLessThanOrEqual(share);
}

test.each(cases)(
  "$config._class_name, $steps steps, strength $strength: table and steps are diffusers' own",
  (reference) => {
    const sampler = samplerOf(reference.config, reference);
    expectClose(sampler.timesteps, reference.timesteps, 1e-6);
    expectClose([sampler.initialNoiseScale], [reference.initialNoiseScale]);
    const clean = Float32Array.from(reference.clean);
    expectClose(sampler.withNoise(clean, Float32Array.from(reference.noise), 0), reference.noised);
    let latents = Float32Array.from(reference.noised);
    for (const [step, each] of reference.each.entries()) {
      expectClose(sampler.modelInput(latents, step), each.input);
      const added = () => Float32Array.from(each.added);
      expectClose(sampler.advance(latents, Float32Array.from(each.answer), step, added), each.latents);
      latents = Float32Array.from(each.latents);
    }
  },
);

test("after the last step no noise is left in what was clean", () => {
  for (const { config, steps, tokens, clean, noise } of cases) {
    const sampler = samplerOf(config, { steps, tokens });
    const left = sampler.withNoise(Float32Array.from(clean), Float32Array.from(noise), steps);
    expect([...left]).toEqual(clean.map(Math.fround));
  }
});

test("a setting that would change the schedule is refused by its name", () => {
  const config = { _class_name: "EulerDiscreteScheduler", beta_schedule: "scaled_linear" };
  const schedule = { steps: 4, tokens: 0 };
  expect(() => samplerOf({ ...config, use_karras_sigmas: true }, schedule)).toThrow("use_karras_sigmas true");
  expect(() => samplerOf({ ...config, timestep_spacing: "random" }, schedule)).toThrow('timestep_spacing "random"');
  expect(() => samplerOf({ ...config, beta_schedule: 3 }, schedule)).toThrow("beta_schedule must be a string, not 3");
  expect(() => samplerOf({ ...config, prediction_type: "x" }, schedule).advance(one, one, 0, () => one)).toThrow(
    'prediction_type "x"',
  );
  expect(() => samplerOf({ _class_name: "DDPMScheduler" }, schedule)).toThrow('no sampler for "DDPMScheduler"');
  expect(() => samplerOf(config, { steps: 0, tokens: 0 })).toThrow("0 steps");
  expect(() => samplerOf(config, { steps: 4, tokens: 0, strength: 0 })).toThrow("a strength of 0");
});

test("latents of different sizes are not mixed", () => {
  expect(() => mix(one, 1, new Float32Array(2), 1)).toThrow("1 values with 2");
});

const one = Float32Array.of(1);
