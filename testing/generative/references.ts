/** What training/generative/write_references.py wrote: diffusers' answers for random weights of our own. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { KleinConfig, StableConfig } from "../../packages/models/pipeline-file.ts";

export const referencesFolder = fileURLToPath(new URL("references/", import.meta.url));

interface SamplerStep {
  readonly input: readonly number[];
  readonly answer: readonly number[];
  readonly added: readonly number[];
  readonly latents: readonly number[];
}

interface References {
  readonly "samplers.json": readonly {
    readonly config: Readonly<Record<string, unknown>>;
    readonly steps: number;
    readonly tokens: number;
    readonly strength: number;
    readonly timesteps: readonly number[];
    readonly initialNoiseScale: number;
    readonly clean: readonly number[];
    readonly noise: readonly number[];
    readonly noised: readonly number[];
    readonly each: readonly SamplerStep[];
  }[];
  readonly "tokens.json": {
    readonly prompts: readonly string[];
    readonly qwen: readonly (readonly number[])[];
    readonly clip: readonly (readonly number[])[];
  };
  readonly "klein.json": Pictures<KleinConfig> & {
    readonly style: { readonly width: number; readonly height: number; readonly rgb: string };
  };
  readonly "sd-inpainting.json": Pictures<StableConfig>;
  readonly "sdxl.json": Pictures<StableConfig>;
  readonly "qwen-tokenizer.json": object;
  readonly "clip-tokenizer.json": object;
}

interface Pictures<Config> {
  readonly prompt: string;
  readonly side: number;
  readonly pipeline: Config;
  /** In base64: floats, bytes and 65,536 shades. */
  readonly noise: string;
  readonly photo: string;
  readonly fill: string;
  readonly pictures: Readonly<Record<string, string>>;
}

export function readReferences<Name extends keyof References>(name: Name): References[Name] {
  return JSON.parse(readFileSync(`${referencesFolder}${name}`, "utf8")) as References[Name];
}

export function floatsOf(base64: string): Float32Array {
  return new Float32Array(Uint8Array.from(Buffer.from(base64, "base64")).buffer);
}

/** 0 to 1. */
export function shadesOf(base64: string): Float32Array {
  const shades = new Uint16Array(Uint8Array.from(Buffer.from(base64, "base64")).buffer);
  return Float32Array.from(shades, (shade) => shade / 65_535);
}
