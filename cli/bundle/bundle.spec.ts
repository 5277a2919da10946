import { execFileSync } from "node:child_process";
import { appendFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { bundledImages, imageText, imageValues, parseImage, version } from "./bundled-images.ts";
import type { ImageEngine } from "./image-engine.ts";
import { loadBundle } from "./load-bundle.ts";
import { writeBundle } from "./write-bundle.ts";

let folder: string;
let calls: string[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "packshot-bundle-"));
  calls = [];
});
afterEach(() => rmSync(folder, { recursive: true }));

/** An engine that writes an image's name in place of its archive; test/containers has the real one. */
function engineWith(here: readonly string[], failsAt?: string): ImageEngine {
  const call = (...words: string[]) => {
    calls.push(words.join(" "));
    return words.join(" ").includes(failsAt ?? "\0")
      ? Promise.reject(new Error(`${failsAt} failed`))
      : Promise.resolve();
  };
  return {
    has: (image) => Promise.resolve(here.includes(image)),
    pull: (image) => call("pull", image),
    save: async (image, file) => {
      await call("save", image);
      writeFileSync(file, image);
    },
    load: (file) => call("load", readFileSync(file, "utf8")),
    tag: (image, name) => call("tag", image, name),
    push: (image) => call("push", image),
  };
}

const images = bundledImages({ packshot: "shop.example/packshot:1.2.3", also: ["localhost/packshot:1.2.3-cuda"] });
const [ours, nats, valkey, cuda] = images.map(({ name }) => imageText(name));
const write = (engine: ImageEngine) => writeBundle(join(folder, "out"), Promise.resolve(engine), images, () => {});
const load = (push?: string) =>
  loadBundle(join(folder, "out"), () => Promise.resolve(engineWith([])), {
    push,
    valuesFile: join(folder, "pushed.yaml"),
    say: () => {},
  });

describe("names of images", () => {
  it.each([
    ["nats:2.15.2-alpine", { registry: "", repository: "nats", tag: "2.15.2-alpine" }],
    ["valkey/valkey:8", { registry: "", repository: "valkey/valkey", tag: "8" }],
    ["localhost/packshot:1", { registry: "localhost", repository: "packshot", tag: "1" }],
    ["shop.local:5000/a/b:2", { registry: "shop.local:5000", repository: "a/b", tag: "2" }],
    ["packshot", { registry: "", repository: "packshot", tag: "latest" }],
  ])("%s", (text, name) => {
    expect(parseImage(text)).toEqual(name);
  });

  it("are those of the chart, unless others are named", () => {
    const byDefault = bundledImages({ also: [] }).map(({ name }) => imageText(name));
    expect(byDefault).toEqual([
      `localhost/packshot:${version}`,
      expect.stringMatching(/^docker\.io\/library\/nats:/),
      expect.stringMatching(/^docker\.io\/valkey\/valkey:/),
    ]);
    expect([ours, cuda]).toEqual(["shop.example/packshot:1.2.3", "localhost/packshot:1.2.3-cuda"]);
  });

  it("are values of the chart", () => {
    expect(parse(imageValues(images))).toEqual({
      image: { registry: "shop.example", repository: "packshot", tag: "1.2.3" },
      nats: { image: images[1]!.name },
      redis: { image: images[2]!.name },
    });
  });
});

describe("a bundle", () => {
  it("has each image, pulled where it is not here, the chart, and sums that sha256sum accepts", async () => {
    await write(engineWith([ours!, cuda!]));
    expect(calls).toEqual([
      `save ${ours}`,
      `pull ${nats}`,
      `save ${nats}`,
      `pull ${valkey}`,
      `save ${valkey}`,
      `save ${cuda}`,
    ]);
    const out = join(folder, "out");
    expect(
      execFileSync("sha256sum", ["--check", "SHA256SUMS"], { cwd: out, encoding: "utf8" }).split("\n"),
    ).toHaveLength(8);
    const listed = execFileSync("tar", ["-tzf", join(out, `packshot-${version}.tgz`)], { encoding: "utf8" });
    expect(listed).toContain("packshot/Chart.yaml");
    expect(listed).toContain("packshot/templates/");
  });

  it("is not there when an image cannot be saved, and never replaces another", async () => {
    await expect(write(engineWith([ours!], `save ${valkey}`))).rejects.toThrow("failed");
    expect(readdirSync(folder)).toEqual([]);
    await write(engineWith([]));
    await expect(write(engineWith([]))).rejects.toThrow("exists");
  });

  it("refuses two images of one file, and one that is named by its digest", async () => {
    const twice = bundledImages({ also: [`localhost/packshot:${version}`] });
    const written = writeBundle(join(folder, "out"), Promise.resolve(engineWith([])), twice, () => {});
    await expect(written).rejects.toThrow("name each once");
    expect(() => parseImage(`nats:2.15@sha256:${"a".repeat(64)}`)).toThrow("by its tag");
  });

  it("is loaded whole", async () => {
    await write(engineWith([]));
    calls = [];
    await load();
    expect(calls.toSorted()).toEqual([ours, nats, valkey, cuda].map((name) => `load ${name}`).toSorted());
  });

  it("names the registry to which it was pushed", async () => {
    await write(engineWith([]));
    calls = [];
    await load("registry.local:5000");
    expect(calls).toContain(`push registry.local:5000/packshot:1.2.3-cuda`);
    expect(calls).toContain(`tag ${valkey} registry.local:5000/valkey/valkey:${images[2]!.name.tag}`);
    const values = parse(readFileSync(join(folder, "pushed.yaml"), "utf8")) as { image: { registry: string } };
    expect(values.image.registry).toBe("registry.local:5000");
    // The bundle itself stays as it was.
    await load();
  });

  it.each([
    [
      "damaged",
      (out: string) => appendFileSync(join(out, "images", "docker.io_library_nats_2.15.2-alpine.tar"), "x"),
      "is damaged",
    ],
    ["missing", (out: string) => rmSync(join(out, "images.yaml")), "is missing"],
    ["strange", (out: string) => writeFileSync(join(out, "images", "other.tar"), "x"), "is not of the bundle"],
    ["without sums", (out: string) => rmSync(join(out, "SHA256SUMS")), "is no bundle"],
  ])("with a file %s loads nothing", async (_, spoil, message) => {
    await write(engineWith([]));
    calls = [];
    expect(existsSync(join(folder, "out", "images", "docker.io_library_nats_2.15.2-alpine.tar"))).toBe(true);
    spoil(join(folder, "out"));
    await expect(load()).rejects.toThrow(message);
    expect(calls).toEqual([]);
  });
});
