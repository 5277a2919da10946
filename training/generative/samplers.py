"""Tables and single steps of diffusers' schedulers, for the configs of models that Packshot can serve."""
import numpy as np
import torch
from diffusers import EulerDiscreteScheduler, FlowMatchEulerDiscreteScheduler, LCMScheduler
from diffusers.pipelines.flux2.pipeline_flux2_klein import compute_empirical_mu
from diffusers.schedulers import scheduling_lcm

values = 12
klein = dict(base_image_seq_len=256, base_shift=0.5, max_image_seq_len=4096, max_shift=1.15, num_train_timesteps=1000,
             shift=3.0, shift_terminal=None, use_dynamic_shifting=True, time_shift_type="exponential")
stable = dict(num_train_timesteps=1000, beta_start=0.00085, beta_end=0.012, beta_schedule="scaled_linear", steps_offset=1)
cases = [
    *[(FlowMatchEulerDiscreteScheduler, klein, steps, tokens, strength)
      for steps, tokens, strength in [(4, 4096, 1), (4, 1024, 1), (4, 9000, 1), (8, 2304, 0.6), (50, 4096, 1), (1, 256, 1)]],
    (FlowMatchEulerDiscreteScheduler, {**klein, "time_shift_type": "linear"}, 4, 1024, 1),
    (FlowMatchEulerDiscreteScheduler, dict(num_train_timesteps=1000, shift=3.0), 6, 1024, 0.5),
    (LCMScheduler, stable, 4, 0, 1),
    (LCMScheduler, {**stable, "prediction_type": "v_prediction"}, 8, 0, 0.7),
    (LCMScheduler, {**stable, "clip_sample": True, "prediction_type": "sample"}, 2, 0, 1),
    (EulerDiscreteScheduler, {**stable, "timestep_spacing": "trailing"}, 4, 0, 1),
    (EulerDiscreteScheduler, {**stable, "timestep_spacing": "trailing", "prediction_type": "v_prediction"}, 7, 0, 0.5),
    (EulerDiscreteScheduler, {**stable, "timestep_spacing": "leading"}, 20, 0, 1),
    (EulerDiscreteScheduler, {**stable, "timestep_spacing": "linspace"}, 6, 0, 1),
    (EulerDiscreteScheduler, {**stable, "timestep_spacing": "trailing", "beta_schedule": "linear"}, 3, 0, 1),
]


def numbers(tensor):
    return [float(f"{x:.9g}") for x in tensor.flatten().tolist()]


def reference(kind, config, steps, tokens, strength, random):
    scheduler = kind(**config)
    skipped = 0
    if kind is FlowMatchEulerDiscreteScheduler:
        sigmas = np.linspace(1.0, 1 / steps, steps)
        scheduler.set_timesteps(steps, sigmas=sigmas, mu=compute_empirical_mu(tokens, steps))
    elif kind is LCMScheduler:
        scheduler.set_timesteps(steps, strength=strength)
    else:
        scheduler.set_timesteps(steps)
    if kind is not LCMScheduler:
        skipped = int(max(steps - min(steps * strength, steps), 0))
        scheduler.set_begin_index(skipped)
    timesteps = scheduler.timesteps[skipped:]
    draw = lambda: torch.randn(values, generator=random)
    clean, noise = draw(), draw()
    if kind is FlowMatchEulerDiscreteScheduler:
        noised = scheduler.scale_noise(clean, timesteps[:1], noise)
        scheduler._step_index = None
    else:
        noised = scheduler.add_noise(clean, noise, timesteps[:1])
    latents = noised
    result = {"config": {"_class_name": kind.__name__, **config}, "steps": steps, "tokens": tokens, "strength": strength,
              "timesteps": numbers(timesteps), "initialNoiseScale": float(getattr(scheduler, "init_noise_sigma", 1.0)),
              "clean": numbers(clean), "noise": numbers(noise), "noised": numbers(noised), "each": []}
    for timestep in timesteps:
        answer, added = draw(), draw()
        scheduling_lcm.randn_tensor = lambda *_, **__: added
        taken = scheduler.scale_model_input(latents, timestep) if hasattr(scheduler, "scale_model_input") else latents
        latents = scheduler.step(answer, timestep, latents, return_dict=False)[0]
        result["each"].append({"input": numbers(taken), "answer": numbers(answer), "added": numbers(added),
                               "latents": numbers(latents)})
    return result


def sampler_references():
    random = torch.Generator().manual_seed(47)
    return [reference(*case, random) for case in cases]
