/** What an image is made of. */
import type { Engine } from "./engine.ts";

export interface ImageConfig {
  readonly User: string;
  readonly Env: readonly string[];
  readonly Entrypoint: readonly string[];
  readonly Cmd: readonly string[];
  readonly Volumes: Readonly<Record<string, object>>;
  readonly Labels: Readonly<Record<string, string>>;
}

export async function imageSize(engine: Engine, image: string): Promise<number> {
  return Number(await engine.podman(["image", "inspect", image, "--format", "{{.Size}}"]));
}

export async function imageConfig(engine: Engine, image: string): Promise<ImageConfig> {
  return JSON.parse(await engine.podman(["image", "inspect", image, "--format", "{{json .Config}}"])) as ImageConfig;
}

/** The newest first, with the instruction that made each. */
export async function layerSizes(engine: Engine, image: string): Promise<{ bytes: number; by: string }[]> {
  const history = JSON.parse(await engine.podman(["history", "--format", "json", "--no-trunc", image])) as {
    size: number;
    CreatedBy: string;
  }[];
  return history.map(({ size, CreatedBy }) => ({
    bytes: size,
    by: CreatedBy.replace(/^\/bin\/sh -c (#\(nop\) )?/, "").slice(0, 100),
  }));
}
