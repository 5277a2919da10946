/** A model's `scheduler_config.json`, as diffusers writes it, and the samplers that it names. */
import { eulerDiscrete } from "./euler-discrete.ts";
import { flowMatchEuler } from "./flow-match-euler.ts";
import { lcm } from "./lcm.ts";
import type { Sampler, Schedule } from "./sampler.ts";

/** Throws an error that names what of the config no sampler here does; better none than a wrong picture. */
export function samplerOf(config: Readonly<Record<string, unknown>>, schedule: Schedule): Sampler {
  if (!Number.isInteger(schedule.steps) || schedule.steps < 1) throw new Error(`${schedule.steps} steps`);
  switch (config._class_name) {
    case "FlowMatchEulerDiscreteScheduler":
      return flowMatchEuler(config, schedule);
    case "LCMScheduler":
      return lcm(config, schedule);
    case "EulerDiscreteScheduler":
      return eulerDiscrete(config, schedule);
    default:
      throw new Error(`scheduler_config.json: no sampler for ${JSON.stringify(config._class_name)}`);
  }
}
