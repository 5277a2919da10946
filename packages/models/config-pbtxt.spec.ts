import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseModelConfig } from "./config-pbtxt.ts";
import { parseManifest } from "./manifest.ts";

const repository = fileURLToPath(new URL("../../models", import.meta.url));
const minimal = `
  name: "m" max_batch_size: 4
  input { name: "a" data_type: TYPE_UINT8 dims: 3 }
  output [ { name: "b", data_type: TYPE_FP32, dims: [ -1, 2 ] } ]
`;

describe("config.pbtxt", () => {
  it("reads every notation of the text format", () => {
    const config = parseModelConfig(
      `${minimal} # a comment
      dynamic_batching < preferred_batch_size: 2; preferred_batch_size: [4, 1]; default_queue_policy { max_queue_size: 9 } >
      instance_group { count: 2 kind: KIND_CPU }, instance_group: { gpus: [0, 1] }
      version_policy: { specific { versions: [1, 3] } }
      parameters { key: 'quoted \\'so\\'' value { string_value: "two\\nlines" } }
      parameters [{ key: "second" value: { string_value: "" } }]`,
      "c",
    );
    expect(config).toMatchObject({
      name: "m",
      maxBatchSize: 4,
      input: [{ name: "a", dataType: "TYPE_UINT8", dims: [3] }],
      output: [{ name: "b", dataType: "TYPE_FP32", dims: [-1, 2] }],
      dynamicBatching: { preferredBatchSize: [1, 2, 4], queueRowsMax: 9 },
      instanceGroups: [
        { count: 2, kind: "KIND_CPU", gpus: [] },
        { count: 1, kind: "KIND_AUTO", gpus: [0, 1] },
      ],
      versions: { specific: [1, 3] },
      parameters: { "quoted 'so'": "two\nlines", second: "" },
    });
  });

  it.each([
    [
      `${minimal} ensemble_scheduling { }`,
      "c:5: ModelConfig has no field ensemble_scheduling that this server honors; remove it",
    ],
    [`${minimal} name: "again"`, "c:5: name: multiple values"],
    [`${minimal} max_batch_size: many`, "c:5: integer value expected, in: max_batch_size: many"],
    [`${minimal} instance_group { kind: KIND_TPU }`, "c:5: kind is one of KIND_AUTO, KIND_GPU, KIND_CPU, KIND_MODEL"],
    [`${minimal} instance_group { count: 0 }`, "instance_group.count 0; it must be 1 to 64"],
    [`${minimal} instance_group { count: 1`, "c:5: expected '}', in: instance_group { count: 1"],
    [`${minimal} dynamic_batching { preferred_batch_size: 8 }`, "preferred_batch_size 8; it must be 1 to 4"],
    [`${minimal} version_policy 3`, "c:5: expected message value, in: version_policy 3"],
    ['name: "m"', "no input"],
    [
      'name: "m" input { name: "a" data_type: TYPE_UINT8 dims: 0 } output { name: "b" data_type: TYPE_UINT8 }',
      "must be positive",
    ],
  ])("names the fault: %#", (text, message) => {
    expect(() => parseModelConfig(text, "c")).toThrow(message);
  });

  it("returns a configuration or throws an error that names the file, for any text", () => {
    const pieces = fc.constantFrom(
      "name",
      ":",
      '"m"',
      "{",
      "}",
      "[",
      "]",
      "input",
      "dims",
      "3",
      ",",
      "TYPE_UINT8",
      "<",
      ">",
      "#",
      "\n",
      "é",
      '"',
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 40 }), (texts) => {
        try {
          parseModelConfig(texts.join(" "), "some.pbtxt");
        } catch (error) {
          expect((error as Error).message).toContain("some.pbtxt");
        }
      }),
    );
  });

  it.each(readdirSync(repository).filter((name) => !name.includes(".")))(
    "%s: manifest and configuration agree",
    (name) => {
      const read = (file: string): string => readFileSync(join(repository, name, file), "utf8");
      const manifest = parseManifest(read("packshot.json"), name);
      const config = parseModelConfig(read("config.pbtxt"), name);
      const { width, height, channels } = manifest.pre;
      const depth = channels === "rgb" ? 3 : 4;
      expect(config).toMatchObject({
        name: manifest.name,
        input: [{ name: "image", dataType: "TYPE_UINT8", dims: [height, width, depth] }],
        output: [{ name: "matte", dataType: "TYPE_UINT8", dims: [height, width, 1] }],
        parameters: { "packshot.channels": channels },
      });
    },
  );
});

describe("packshot.json", () => {
  const good = JSON.parse(readFileSync(join(repository, "u2netp", "packshot.json"), "utf8"));
  it.each([
    [{ name: "Bad Name" }, "name must be"],
    [{ pre: { ...good.pre, std: [1, 0, 1] } }, "std must be 3 numbers above 0"],
    [{ pre: { ...good.pre, channels: "rgba" } }, "channels must be rgb or rgb+backdrop"],
    [{ source: { ...good.source, unverified: false } }, "without sha256, unverified must be true"],
    [{ source: { ...good.source, sha256: "abc" } }, "sha256 must be 64 hex digits or null"],
  ])("%j: %s", (change, message) => {
    expect(() => parseManifest(JSON.stringify({ ...good, ...change }), "p.json")).toThrow(message);
  });
  it("is JSON", () => {
    expect(() => parseManifest("{", "p.json")).toThrow("p.json: not JSON");
  });
});
