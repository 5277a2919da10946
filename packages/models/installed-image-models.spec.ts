/** Image models by a manifest, from a server of this machine. */
import { createHash } from "node:crypto";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { writeImageModel } from "../../testing/generative/image-model-folder.ts";
import { type CutDisk, makeCutDisk, whyNoCutDisk } from "../../testing/power-cuts/cut-disk.ts";
import { parseImageModelManifest } from "./image-model-manifest.ts";
import { isPulledBy, listImageModels, pullImageModel, verifyImageModel } from "./installed-image-models.ts";
import type { PipelineFile } from "./pipeline-file.ts";

let home: string;
let modelDir: string;
let published: string;
let server: Server;
let requests: string[];
/** The server's response; by default the whole file, or the requested rest of it. */
let answer: (request: IncomingMessage, response: ServerResponse) => void;

function serveRest(request: IncomingMessage, response: ServerResponse): void {
  const file = join(published, request.url!);
  // A stranger may ask, whose server had this port before.
  if (!existsSync(file)) return void response.writeHead(404).end();
  const bytes = readFileSync(file);
  const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? "")?.[1] ?? 0);
  const rest = bytes.subarray(from);
  response.writeHead(from > 0 ? 206 : 200, { "Content-Length": rest.length }).end(rest);
}

beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), "packshot-image-model-"));
  modelDir = join(home, "models");
  mkdirSync(modelDir);
  writeImageModel(home, "published", { shift: 0.002 });
  published = join(home, "published", "1");
  requests = [];
  answer = serveRest;
  server = createServer((request, response) => {
    requests.push(`${request.url} ${request.headers.range ?? "whole"}`);
    answer(request, response);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  rmSync(home, { recursive: true });
});

const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

function manifestText(more: object = {}): string {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const names = readdirSync(published).filter((name) => name !== "pipeline.json");
  const files = names.map((name) => {
    const bytes = readFileSync(join(published, name));
    return { name, url: `${url}/${name}`, sha256: sha256(bytes), sizeBytes: bytes.length };
  });
  const pipeline = JSON.parse(readFileSync(join(published, "pipeline.json"), "utf8"));
  return JSON.stringify({ name: "stand-in", trainedOn: "nothing", pipeline, files, ...more });
}

const parse = (text: string) => parseImageModelManifest(text, "m.json");
const limits = { retryDelayMs: 1, stallTimeoutMs: 60_000 };
const pull = (text = manifestText(), more: object = {}) =>
  pullImageModel({ manifest: parse(text), modelDir, limits, ...more });
const installed = () => listImageModels(modelDir)[0]!;

const pipelineFaults: readonly (readonly [change: Partial<PipelineFile>, said: string])[] = [
  [{ channels: 0 }, "channels must be 1 to 4096, not 0"],
  [{ mean: [0] }, "mean must be 48 numbers"],
  [{ deviation: [] }, "deviation must be 48 numbers"],
  [{ scheduler: {} }, "scheduler: .*no sampler for undefined"],
  [{ steps: 0 }, "steps must be 1 to 100, not 0"],
  [{ pixelsMax: 1.5 }, "pixelsMax must be 1 to 16777216, not 1.5"],
  [{ patchPixels: 65 }, "patchPixels must be 1 to 64, not 65"],
  [{ padding: "" }, 'padding must be a token, not ""'],
  [{ textTokensMax: 0 }, "textTokensMax must be 1 to 8192, not 0"],
];

describe("pulling an image model", () => {
  it("installs every file of the manifest with its pipeline, in the layout that a model server reads", async () => {
    const folder = await pull();
    expect(folder).toBe(join(modelDir, "stand-in", "1"));
    const names = readdirSync(published);
    expect(readdirSync(folder).sort()).toEqual([...names, "files.json"].sort());
    for (const name of names.filter((each) => each !== "pipeline.json"))
      expect(readFileSync(join(folder, name)).equals(readFileSync(join(published, name))), name).toBe(true);
    expect(JSON.parse(readFileSync(join(folder, "pipeline.json"), "utf8"))).toEqual(
      JSON.parse(readFileSync(join(published, "pipeline.json"), "utf8")),
    );
    const sizeBytes = readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
    expect(listImageModels(modelDir)).toMatchObject([
      { name: "stand-in", state: "here", license: "Apache-2.0", trainedOn: "nothing", sizeBytes },
    ]);
    expect(await verifyImageModel(installed())).toMatchObject({ problems: [], hashed: true });
    expect(readdirSync(join(modelDir, ".partial"))).toEqual([]);
  });

  it("goes on after a broken connection, in another run, with the file in which it was", async () => {
    let open: ServerResponse | undefined;
    answer = (request, response) => {
      if (request.url !== "/tokenizer.json") return serveRest(request, response);
      const bytes = readFileSync(join(published, "tokenizer.json"));
      response.writeHead(200, { "Content-Length": bytes.length });
      response.write(bytes.subarray(0, 1_000));
      open = response;
    };
    const giveUp = { limits: { ...limits, failuresMax: 1 }, onProgress: () => open?.destroy() };
    await expect(pull(manifestText(), giveUp)).rejects.toThrow("1000 bytes are kept, run the same command again");
    expect(existsSync(join(modelDir, "stand-in"))).toBe(false);
    const before = requests.splice(0).map((each) => each.split(" ")[0]);
    answer = serveRest;
    await pull();
    const later = readdirSync(published).filter((name) => name !== "pipeline.json" && !before.includes(`/${name}`));
    expect(requests).toEqual(["/tokenizer.json bytes=1000-", ...later.map((name) => `/${name} whole`)]);
  });

  it("fetches only what is new when the manifest changes", async () => {
    await pull();
    requests = [];
    writeImageModel(home, "published", { shift: 0.004, file: { steps: 8 } });
    const folder = await pull();
    expect(requests).toEqual(["/text_encoder.onnx whole"]);
    expect(JSON.parse(readFileSync(join(folder, "pipeline.json"), "utf8"))).toMatchObject({ steps: 8 });
    expect(await verifyImageModel(installed())).toMatchObject({ problems: [] });
  });

  it("is by another manifest once what the model was trained on, its pipeline or a file differs, and fetches no file twice", async () => {
    const isPulled = (text: string) => isPulledBy(parse(text), modelDir);
    await pull();
    expect(isPulled(manifestText())).toBe(true);
    const { pipeline, files } = JSON.parse(manifestText());
    expect(isPulled(manifestText({ pipeline: { ...pipeline, steps: pipeline.steps + 1 } }))).toBe(false);
    const [first, ...others] = files;
    expect(isPulled(manifestText({ files: [{ ...first, sha256: "0".repeat(64) }, ...others] }))).toBe(false);
    const corrected = manifestText({ trainedOn: "photos under CC0" });
    expect(isPulled(corrected)).toBe(false);
    requests = [];
    await pull(corrected);
    expect(requests).toEqual([]);
    expect(isPulled(corrected)).toBe(true);
    expect(installed().trainedOn).toBe("photos under CC0");
  });

  it("puts back the model that a pull had moved away when it was cut off, and fetches nothing of it again", async () => {
    await pull();
    requests = [];
    renameSync(join(modelDir, "stand-in"), join(modelDir, ".partial", "stand-in.old"));
    await pull();
    expect(requests).toEqual([]);
    expect(await verifyImageModel(installed())).toMatchObject({ problems: [] });
    expect(readdirSync(join(modelDir, ".partial"))).toEqual([]);
  });

  it("installs nothing of a model one of whose files has another hash, and leaves the one that is there", async () => {
    await pull();
    const before = readFileSync(join(modelDir, "stand-in", "1", "transformer.onnx"));
    writeImageModel(home, "published", { shift: 0.002, doubledBy: 4 });
    const text = manifestText();
    writeFileSync(join(published, "transformer.onnx"), "x".repeat(before.length));
    await expect(pull(text)).rejects.toThrow("Do not use this source until you know why");
    expect(readFileSync(join(modelDir, "stand-in", "1", "transformer.onnx")).equals(before)).toBe(true);
    expect(await verifyImageModel(installed())).toMatchObject({ problems: [] });
  });

  it("says before it fetches anything that the disk is too small, or the folder another model's", async () => {
    const { files, ...manifest } = parse(manifestText());
    const large = { ...files[0]!, sizeBytes: 2 ** 50 };
    await expect(pullImageModel({ manifest: { ...manifest, files: [large] }, modelDir, limits })).rejects.toThrow(
      /1125899\.9 GB are to come, and .* GB free/,
    );
    mkdirSync(join(modelDir, "stand-in"));
    await expect(pull()).rejects.toThrow("is not an image model");
    expect(requests).toEqual([]);
  });

  it("finds files that were changed or are gone", async () => {
    const folder = await pull();
    writeFileSync(join(folder, "vae_encoder.onnx"), "other");
    rmSync(join(folder, "vae_decoder.onnx"));
    writeFileSync(join(folder, "pipeline.json"), "{}");
    expect((await verifyImageModel(installed())).problems).toEqual(
      expect.arrayContaining([
        "vae_decoder.onnx is missing: pull it again",
        "vae_encoder.onnx is not what was pulled: pull it again",
        "pipeline.json was changed since it was pulled: pull it again",
      ]),
    );
  });

  it.each(["pipeline.json", "files.json"])("finds that %s is empty, and a pull mends it", async (name) => {
    const folder = await pull();
    writeFileSync(join(folder, name), "");
    const { problems } = await verifyImageModel(installed());
    expect(problems).toContainEqual(expect.stringContaining(`${join(folder, name)}: not JSON`));
    await pull();
    expect(await verifyImageModel(installed())).toMatchObject({ problems: [], hashed: true });
  });

  it.each(pipelineFaults)(
    "finds a pipeline that a model server would refuse, though it was put there by hand: %j",
    async (change, said) => {
      writeImageModel(modelDir, "by-hand", { shift: 0.002, file: change });
      expect((await verifyImageModel(installed())).problems).toEqual([
        expect.stringMatching(new RegExp(`pipeline\\.json: ${said}`)),
      ]);
    },
  );

  it("pulls again what an empty object records", async () => {
    const folder = await pull();
    writeFileSync(join(folder, "files.json"), "{}");
    expect((await verifyImageModel(installed())).problems).toHaveLength(1);
    await pull();
    expect(await verifyImageModel(installed())).toMatchObject({ problems: [], hashed: true });
  });

  it("finds a padding that the tokenizer does not have, though each file is what was pulled, and a missing tokenizer", async () => {
    const { pipeline } = JSON.parse(manifestText());
    const folder = await pull(manifestText({ pipeline: { ...pipeline, padding: "<|pad|>" } }));
    expect((await verifyImageModel(installed())).problems).toEqual([
      "tokenizer.json has no token <|pad|>, the padding of pipeline.json",
    ]);
    rmSync(join(folder, "tokenizer.json"));
    rmSync(join(folder, "files.json"));
    expect((await verifyImageModel(installed())).problems).toEqual([
      "tokenizer.json is missing: the model server needs it",
    ]);
  });

  it.each([
    ["a text", "<|im_end|>", "tokenizer_config.json pads with <|im_end|>, and pipeline.json with <|endoftext|>"],
    ["an object", { content: "<|im_end|>" }, "tokenizer_config.json pads with <|im_end|>, and pipeline.json with"],
    ["the pipeline's own", "<|endoftext|>", undefined],
    ["none", null, undefined],
  ])("holds the padding against the tokenizer's config, which has %s", async (_, pad_token, said) => {
    writeFileSync(join(published, "tokenizer_config.json"), JSON.stringify({ pad_token }));
    await pull();
    const { problems } = await verifyImageModel(installed());
    expect(problems).toEqual(said === undefined ? [] : [expect.stringContaining(said)]);
  });

  it("finds a second padding that the tokenizer does not have", async () => {
    const stable = {
      pipeline: "stable-diffusion",
      latentPixels: 8,
      unetChannels: 4,
      scale: 0.13,
      guidance: 1,
      pooledValues: 1_280,
      secondPadding: "<|pad|>",
    } as unknown as Partial<PipelineFile>;
    writeImageModel(modelDir, "by-hand", { shift: 0.002, file: stable });
    expect((await verifyImageModel(installed())).problems).toEqual([
      "tokenizer.json has no token <|pad|>, the padding of pipeline.json",
    ]);
  });

  it("lists a model that was put there by hand, which has no hashes", async () => {
    writeImageModel(modelDir, "by-hand", { shift: 0.002 });
    expect(installed()).toMatchObject({ name: "by-hand", license: "Apache-2.0", trainedOn: "not recorded" });
    expect(await verifyImageModel(installed())).toMatchObject({ problems: [], hashed: false });
  });
});

describe("a list of image models", () => {
  it("has a model whose folder is a link, as a model server has it, and no link that leads nowhere", async () => {
    symlinkSync(join(home, "published"), join(modelDir, "linked"));
    symlinkSync(join(home, "gone"), join(modelDir, "gone"));
    expect(listImageModels(modelDir).map(({ name }) => name)).toEqual(["linked"]);
    expect(await verifyImageModel(installed())).toMatchObject({ problems: [] });
  });
});

describe("a manifest of an image model", () => {
  const withFile = (change: object) => {
    const { files, ...rest } = JSON.parse(manifestText());
    return JSON.stringify({ ...rest, files: [{ ...files[0], ...change }, ...files.slice(1)] });
  };

  it.each([
    ["a path out of the folder", { name: "../x" }, "files[0]: name must be a file's name"],
    ["the record of the pull", { name: "files.json" }, "files[0]: name must be a file's name"],
    ["a file without a hash", { sha256: null }, "files[0]: sha256 must be 64 lower-case hex digits"],
    ["a file of no size", { sizeBytes: 0 }, "files[0]: sizeBytes must be 1 to"],
    ["a file of this machine", { url: "file:///etc/passwd" }, "files[0]: url must be an address"],
    ["a name that is there already", { name: "tokenizer.json" }, "tokenizer.json is there twice"],
    ["a missing graph", { name: "other.onnx" }, "files lack text_encoder.onnx"],
  ])("is refused for %s, by its name", (_, change, said) => {
    expect(() => parse(withFile(change))).toThrow(said);
  });

  it.each(pipelineFaults)("is refused for a pipeline that a model server would refuse: %j", (change, said) => {
    const { pipeline } = JSON.parse(manifestText());
    const faulty = manifestText({ pipeline: { ...pipeline, ...change } });
    expect(() => parse(faulty)).toThrow(new RegExp(`^m\\.json pipeline: ${said}`));
  });

  it("is refused for two files of one hash, another pipeline, a missing license, and what is no JSON", () => {
    const { files, pipeline } = JSON.parse(manifestText());
    const hash = files.at(-1).sha256;
    expect(() => parse(withFile({ sha256: hash }))).toThrow("has the sha256 of another file");
    expect(() => parse(manifestText({ pipeline: { ...pipeline, pipeline: "sd-9" } }))).toThrow("one of flux2-klein");
    expect(() => parse(manifestText({ pipeline: { ...pipeline, license: "" } }))).toThrow("pipeline: license must be");
    const sdxl = {
      ...pipeline,
      pipeline: "stable-diffusion",
      latentPixels: 8,
      unetChannels: 4,
      scale: 0.13,
      pooledValues: 1_280,
    };
    expect(() => parse(manifestText({ pipeline: { ...sdxl, guidance: 5 } }))).toThrow("guidance must be 1 for a model");
    expect(() => parse(manifestText({ pipeline: { ...sdxl, guidance: 1 } }))).toThrow("files lack unet.onnx");
    expect(() => parse(manifestText({ pipeline: { ...sdxl, scale: 0 } }))).toThrow("scale must be above 0");
    expect(() => parse("{")).toThrow("m.json: not JSON");
  });
});

const noDisk = whyNoCutDisk();

describe.skipIf(noDisk !== undefined)(`after a power cut${noDisk ? ` (no disk: ${noDisk})` : ""}`, () => {
  let disk: CutDisk;

  beforeEach(() => {
    disk = makeCutDisk(join(home, "disk"), "ext4");
  });
  afterEach(() => disk.remove());

  it("a model that was said to be installed is whole, small files too", async () => {
    modelDir = disk.folder;
    await pull();
    disk.cut();
    await disk.recover();
    expect(await verifyImageModel(installed())).toMatchObject({ problems: [], hashed: true });
  });
});
