/** Which images the chart runs, and the values that name them. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";
import { CommandError } from "../command-line/command.ts";

export const chartFolder = fileURLToPath(new URL("../../deploy/helm", import.meta.url));

/** Ours and the chart's. */
export const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")) as {
  version: string;
};

/** As the chart's values name an image. */
export interface ImageName {
  readonly registry: string;
  readonly repository: string;
  readonly tag: string;
}

/** An image and the path of the chart's value that names it; null: no value of the chart's does. */
export interface BundledImage {
  readonly name: ImageName;
  readonly value: "image" | "nats.image" | "redis.image" | null;
}

/** "registry.local:5000/shop/packshot:0.2.0": the first part is a registry when it has a dot, a port, or is localhost. */
export function parseImage(text: string): ImageName {
  if (text.includes("@"))
    throw new CommandError(`${text}: name the image by its tag; the bundle has checksums of its own.`);
  const [first = "", ...rest] = text.split("/");
  const hasRegistry = rest.length > 0 && (/[.:]/.test(first) || first === "localhost");
  const path = hasRegistry ? rest.join("/") : text;
  const [repository = "", tag = "latest"] = path.split(":");
  return { registry: hasRegistry ? first : "", repository, tag };
}

export function imageText({ registry, repository, tag }: ImageName): string {
  return `${registry === "" ? "" : `${registry}/`}${repository}:${tag}`;
}

interface Chosen {
  readonly packshot?: string | undefined;
  readonly nats?: string | undefined;
  readonly valkey?: string | undefined;
  readonly also: readonly string[];
}

export function bundledImages({ packshot, nats, valkey, also }: Chosen): readonly BundledImage[] {
  const chart = parse(readFileSync(join(chartFolder, "values.yaml"), "utf8")) as Record<
    "nats" | "redis",
    { image: ImageName }
  >;
  // podman knows no registry for a name without one, which docker takes from its own.
  const ofChart = ({ image }: { image: ImageName }) =>
    imageText({
      ...image,
      ...(image.registry === "" && {
        registry: "docker.io",
        repository: image.repository.includes("/") ? image.repository : `library/${image.repository}`,
      }),
    });
  return [
    { value: "image", name: parseImage(packshot ?? `localhost/packshot:${version}`) },
    { value: "nats.image", name: parseImage(nats ?? ofChart(chart.nats)) },
    { value: "redis.image", name: parseImage(valkey ?? ofChart(chart.redis)) },
    ...also.map((text) => ({ value: null, name: parseImage(text) })),
  ];
}

/** The chart's values that name the images. */
export function imageValues(images: readonly BundledImage[]): string {
  const lines = images.flatMap(({ value, name }) => {
    if (value === null) return [];
    const [parent, ...inner] = value.split(".");
    const pad = inner.length === 0 ? "  " : "    ";
    const head = inner.length === 0 ? [`${parent}:`] : [`${parent}:`, `  ${inner[0]}:`];
    return [...head, ...(["registry", "repository", "tag"] as const).map((key) => `${pad}${key}: "${name[key]}"`)];
  });
  return `${lines.join("\n")}\n`;
}
