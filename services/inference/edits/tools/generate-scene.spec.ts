/**
 * Scenes by the stand-in for an image model, judged by the bundled network that cuts products out.
 * @module-tag long
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { PackshotError } from "@packshot/domain/errors.ts";
import { createLogger } from "@packshot/platform/telemetry/logger.ts";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { writeImageModel } from "../../../../testing/generative/image-model-folder.ts";
import { connectModelClient } from "../../../../testing/models/connect-model-client.ts";
import { editInput } from "../../../../testing/models/edit-input.ts";
import { rememberPredictions } from "../../../../testing/models/remembered-predictions.ts";
import type { ModelClient } from "../../model-client/model-client.ts";
import type { OpenInferenceClient } from "../../model-client/open-inference-client.ts";
import type { Painter, PaintRequest } from "../../model-client/painter.ts";
import { type ModelServer, startModelServer } from "../../model-server/model-server.ts";
import type { EncodedOutput } from "../edit.ts";
import { runEdit } from "./run-edit.ts";

const root = fileURLToPath(new URL("../../../../", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "packshot-scenes-"));
const logger = createLogger({ name: "test", level: "silent" });
const photo = readFileSync(join(root, "cli/demo/sample/bottle.jpg"));
const shift = 0.002;
/** Fewer than the four of a real model: the stand-in is exact at each. */
const steps = 2;
setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;
let server: ModelServer;
let client: OpenInferenceClient;
/** The same server, which sees each picture once. */
let models: ModelClient;

beforeAll(async () => {
  const file = { steps };
  writeImageModel(folder, "known", { shift, file });
  writeImageModel(folder, "grows", { shift, file, doubledBy: 10 });
  writeImageModel(folder, "doubles", { shift, file, doubledBy: 60 });
  writeImageModel(folder, "broken", { shift: Number.NaN, file });
  writeImageModel(folder, "slow", { shift, file, slowBy: 2_000 });
  const ports = { host: "127.0.0.1", grpcPort: 0, httpPort: 0 };
  server = await startModelServer({ ...ports, modelDirs: [join(root, "models"), folder], threads: 1, logger });
  client = await connectModelClient(`127.0.0.1:${server.grpcPort}`);
  models = rememberPredictions(client);
});
afterAll(async () => {
  client.close();
  await server.stop();
  rmSync(folder, { recursive: true });
});

type Changes = Parameters<typeof editInput>[2] & object;

/** Before a plain wall, where the mask network sees a second product. */
const theme = "oak table, beige wall";

async function edit(painter: Painter | undefined, { parameters, ...changes }: Changes = {}) {
  const frame = { width: 512, height: 512, format: "png" } as const;
  const given = { engine: "generative", theme, output: frame, ...parameters } as const;
  const input = editInput(photo, models, { tool: "ai-bg", painter, ...changes, parameters: given });
  const { result, report, variations = [], outputs = [], timings } = await runEdit(input);
  const scene = report.scene as Readonly<Record<string, unknown>>;
  return { bytes: result.bytes, report, scene, variations, outputs, timings };
}

const rendered = (parameters: Changes["parameters"] = {}) =>
  edit(undefined, { parameters: { ...parameters, engine: "renderer" } });

let sceneByDefault: ReturnType<typeof edit> | undefined;

/** The renderer's scene for what \`edit\` asks by default, drawn once. */
function renderedByDefault() {
  sceneByDefault ??= rendered();
  return sceneByDefault;
}

const pixelsOf = async (bytes: Buffer) => await sharp(bytes).removeAlpha().raw().toBuffer();

/** Asks `first` once, and then the other one. */
function afterOne(first: Painter, then: Painter) {
  const requests: PaintRequest[] = [];
  const painter: Painter = {
    describe: first.describe,
    async paint(request) {
      requests.push(request);
      return await (requests.length === 1 ? first : then).paint(request);
    },
  };
  return { painter, requests };
}

test("an image model paints the scene around the product, whose opaque pixels stay as they are", async () => {
  const stepped: unknown[] = [];
  const onStage = (stage: string, done?: object) => void (stage === "paint" && stepped.push(done));
  const { bytes, report, scene } = await edit(client.painter("known"), { onStage, parameters: { prompt: "oak" } });
  const { bytes: plain, report: plainReport, scene: plainScene } = await renderedByDefault();
  expect(scene).toMatchObject({ engine: "generative", imageModel: "known@1", steps, redraws: 0, surface: "wood" });
  expect(scene.seconds).toBeGreaterThan(0);
  expect(scene.rejections).toBeUndefined();
  expect(plainScene).toMatchObject({ engine: "renderer" });
  expect(plainScene.imageModel).toBeUndefined();
  expect([report.changedOpaqueShare, report.digitalSourceType]).toEqual([0, "compositeWithTrainedAlgorithmicMedia"]);
  expect(plainReport.digitalSourceType).toBe("compositeSynthetic");
  expect(stepped).toEqual([undefined, { step: 1, steps }, { step: 2, steps }]);

  const { bytes: cutOut } = await edit(undefined, { tool: "mask" });
  const [painted, before] = await Promise.all([pixelsOf(bytes), pixelsOf(plain)]);
  const { data: product } = await sharp(cutOut).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  const opaque: number[] = [];
  const changes: number[] = [];
  for (let at = 0; at < 512 * 512; at++) {
    const isFar = Math.abs((at % 512) - 256) > 200;
    if (product[at * 4 + 3] === 255) opaque.push(painted[at * 3]! - before[at * 3]!);
    else if (isFar) changes.push(painted[at * 3]! - before[at * 3]!);
  }
  expect(opaque.length).toBeGreaterThan(5_000);
  expect(opaque.every((difference) => difference === 0)).toBe(true);
  // The stand-in adds the prompt's color, and the picture comes back as it was sent.
  const mean = changes.reduce((sum, change) => sum + change, 0) / changes.length;
  const color = await colorOf("oak");
  expect(Math.abs(mean - color)).toBeLessThan(0.6);
  expect(Math.abs(color)).toBeGreaterThan(1);
});

/** What the stand-in makes of a gray that it is given. */
async function colorOf(prompt: string): Promise<number> {
  const side = 8;
  const request = {
    prompt,
    seed: 1,
    strength: 1,
    width: side,
    height: side,
    reference: new Uint8Array(3 * side * side).fill(100),
    fill: new Uint8Array(side * side).fill(255),
    tenant: "test",
    deadlineAtMs: Date.now() + 60_000,
    signal: new AbortController().signal,
    onStep() {},
  };
  return (await client.painter("known").paint(request)).picture![0]! - 100;
}

test("the same edit gives the same bytes", async () => {
  const painter = client.painter("known");
  const once = await edit(painter, { models: client });
  expect(once.bytes.equals((await edit(painter, { models: client })).bytes)).toBe(true);
});

test.each([
  { model: "grows", fault: "product_grown" },
  { model: "doubles", fault: "second_product" },
  { model: "broken", fault: "not_finite" },
])("a model that $model is asked three times, then the renderer's scene is the result, to the byte", async (asked) => {
  const { model, fault } = asked;
  // By other seeds the joints of the table's boards beside two bottles look like a line of letters.
  const parameters = { seed: 3 };
  const { bytes, report, scene } = await edit(client.painter(model), { parameters });
  expect(scene).toMatchObject({ engine: "renderer", imageModel: `${model}@1`, redraws: 2 });
  expect(scene.rejections).toEqual([fault, fault, fault]);
  expect(report.digitalSourceType).toBe("compositeSynthetic");
  expect(bytes.equals((await rendered(parameters)).bytes)).toBe(true);
});

/** E, L, T and H, as strokes: no font is needed. */
const letters = ["m12 0h-12v20h12m-12-10h9", "v20h12", "h12m-6 0v20", "v20m12 0v-20m-12 10h12"];
const word = Array.from({ length: 7 }, (_, at) => `M${20 + 20 * at} 60${letters[at % letters.length]}`).join("");

test("a picture with lettering beside the product is rejected", async () => {
  const known = client.painter("known");
  const lettered: Painter = {
    describe: known.describe,
    async paint(request) {
      const { width, height } = request;
      const answer = await known.paint(request);
      const size = `width="${width}" height="${height}"`;
      const text = `<svg ${size}><path d="${word}" fill="none" stroke="#8a7a6a" stroke-width="3"/></svg>`;
      const painted = sharp(answer.picture!, { raw: { width, height, channels: 3 } });
      const lettering = await painted
        .composite([{ input: Buffer.from(text) }])
        .png()
        .toBuffer();
      const picture = await pixelsOf(lettering);
      return { ...answer, picture: new Uint8Array(picture) };
    },
  };
  const { scene, bytes } = await edit(lettered, { parameters: { theme: "white studio" } });
  expect(scene).toMatchObject({ engine: "renderer", redraws: 2, rejections: ["text", "text", "text"] });
  expect(bytes.equals((await rendered({ theme: "white studio" })).bytes)).toBe(true);
});

test("a rejected picture is painted again with another seed, and the next one is taken", async () => {
  const { painter, requests } = afterOne(client.painter("doubles"), client.painter("known"));
  const { bytes, scene } = await edit(painter);
  expect(scene).toMatchObject({ engine: "generative", redraws: 1, rejections: ["second_product"] });
  expect(requests.map(({ seed }) => seed)).toEqual([1, 2 ** 32 + 1]);
  expect(bytes.equals((await edit(client.painter("known"))).bytes)).toBe(true);
});

test("the prompt goes to the model as it is, without one the theme, and without both a studio", async () => {
  const prompts: string[] = [];
  const strengths: number[] = [];
  const known = client.painter("known");
  const painter: Painter = {
    describe: known.describe,
    paint(request) {
      prompts.push(request.prompt);
      strengths.push(request.strength);
      return known.paint(request);
    },
  };
  await edit(painter, { parameters: { prompt: " Ein Tisch, 東京 🎋", strength: 0.5 } });
  await edit(painter);
  await edit(painter, { parameters: { theme: "" } });
  expect(prompts).toEqual([" Ein Tisch, 東京 🎋", theme, "a neutral, light photo studio"]);
  expect(strengths).toEqual([0.5, 1, 1]);
});

test("each variation is painted with its own seed, and says what painted it", async () => {
  const { painter, requests } = afterOne(client.painter("known"), client.painter("doubles"));
  const { scene, variations } = await edit(painter, { parameters: { variations: 2, seed: 7 } });
  expect(requests.map(({ seed }) => seed)).toEqual([7, 8, 2 ** 32 + 8, 2 ** 33 + 8]);
  expect(scene).toMatchObject({ engine: "generative", redraws: 0 });
  expect(variations).toMatchObject([
    { report: { scene: { engine: "renderer", redraws: 2 }, digitalSourceType: "compositeSynthetic" } },
  ]);
});

test("the picture of the palette is the model's second reference, as it is and in its own shape", async () => {
  const { painter, requests } = afterOne(client.painter("known"), client.painter("known"));
  const wide = { width: 1_030, height: 500, channels: 3, background: "#c81e3c" } as const;
  const { scene } = await edit(painter, { palette: await sharp({ create: wide }).png().toBuffer() });
  const { style } = requests[0]!;
  expect(style).toMatchObject({ width: 512, height: 248 });
  expect(new Set(style!.rgb)).toEqual(new Set([0xc8, 0x1e, 0x3c]));
  expect(scene).toMatchObject({ engine: "generative", reference: { palette: expect.anything() } });
  const { painter: plain, requests: without } = afterOne(client.painter("known"), client.painter("known"));
  await edit(plain);
  expect(without[0]!.style).toBeUndefined();
});

/** The color that a model's picture has more than the renderer's, in a corner. */
async function colorAdded(painted: Buffer, plain: Buffer): Promise<number> {
  const [one, other] = await Promise.all([pixelsOf(painted), pixelsOf(plain)]);
  const corner = Array.from({ length: 300 }, (_, at) => one[at]! - other[at]!);
  return corner.reduce((sum, each) => sum + each, 0) / corner.length;
}

describe("files of one edit", () => {
  const large = { name: "large", output: { width: 640, height: 640, format: "png" } } as const;
  const small = { name: "small", output: { width: 320, height: 320, format: "png" } } as const;
  const wide = { name: "wide", output: { width: 640, height: 320, format: "png" } } as const;
  const amazon = { name: "amazon", preset: "amazon-main" } as const;

  test.each([{ outputs: [large, small, amazon, wide] }, { outputs: [small, large, amazon, wide] }])(
    "share one picture, in the largest one's size, where they show the same: %#",
    async ({ outputs }) => {
      const { painter, requests } = afterOne(client.painter("known"), client.painter("known"));
      const painted = await edit(painter, { parameters: { outputs, prompt: "oak" } });
      const plain = await rendered({ outputs });
      expect(requests.map(({ width, height }) => [width, height]).sort()).toEqual([
        // The model paints no more pixels than this stand-in's most.
        [512, 512],
        [724, 360],
      ]);
      const filesOf = ({ bytes, outputs: further }: typeof painted) => [
        bytes,
        ...further.map((file) => ("image" in file ? file.image.bytes : Buffer.alloc(0))),
      ];
      const [first, second, product, other] = filesOf(painted) as [Buffer, Buffer, Buffer, Buffer];
      const before = filesOf(plain) as [Buffer, Buffer, Buffer, Buffer];
      const color = await colorOf("oak");
      for (const [index, file] of [first, second].entries())
        expect(Math.abs((await colorAdded(file, before[index]!)) - color)).toBeLessThan(1);
      expect(Math.abs((await colorAdded(other, before[3]!)) - color)).toBeLessThan(1);
      expect(product.equals(before[2]!), "a preset's file shows no scene").toBe(true);
      expect(painted.scene).toMatchObject({ engine: "generative", redraws: 0 });
    },
  );

  test.each([{ outputs: [large, small] }, { outputs: [small, large] }])(
    "the time of painting is told, whichever file is the largest: %#",
    async ({ outputs }) => {
      const known = client.painter("known");
      const now = performance.now.bind(performance);
      let skippedMs = 0;
      const clock = vi.spyOn(performance, "now").mockImplementation(() => now() + skippedMs);
      onTestFinished(() => void clock.mockRestore());
      const painter: Painter = {
        describe: known.describe,
        async paint(request) {
          skippedMs += 1_000_000;
          return await known.paint(request);
        },
      };
      const { timings } = await edit(painter, { parameters: { outputs, prompt: "oak" } });
      expect(timings["ai-bg.paint"]).toBeGreaterThanOrEqual(1_000_000);
      expect(timings["ai-bg"]).toBeGreaterThanOrEqual(timings["ai-bg.paint"]!);
    },
  );

  test("a picture is kept until the last file that shows it is drawn, and no longer", async () => {
    const known = client.painter("known");
    const pictures: WeakRef<Uint8Array>[] = [];
    const keptBefore: boolean[][] = [];
    const painter: Painter = {
      describe: known.describe,
      async paint(request) {
        // A WeakRef holds its target until the end of the turn in which it was read or made.
        await new Promise(setImmediate);
        collectGarbage();
        keptBefore.push(pictures.map((picture) => picture.deref() !== undefined));
        const painted = await known.paint(request);
        pictures.push(new WeakRef(painted.picture!));
        return painted;
      },
    };
    const other = { name: "other", output: { width: 640, height: 512, format: "png" } } as const;
    const shown = { name: "shown", output: { width: 160, height: 80, format: "png" } } as const;
    await edit(painter, { parameters: { outputs: [wide, large, shown, small, other] } });
    expect(keptBefore).toEqual([[], [true], [false, false]]);
  });

  test("a rejected picture is rejected for all that share it, and asked for once", async () => {
    const { painter, requests } = afterOne(client.painter("doubles"), client.painter("doubles"));
    const outputs = [large, small];
    const painted = await edit(painter, { parameters: { outputs } });
    const plain = await rendered({ outputs });
    expect(requests).toHaveLength(3);
    expect(painted.bytes.equals(plain.bytes)).toBe(true);
    expect(painted.outputs).toMatchObject([{ image: { bytes: (plain.outputs[0] as EncodedOutput).image.bytes } }]);
  });

  test("a model that is away fails all of them: another worker may paint", async () => {
    const away: Painter = {
      ...client.painter("known"),
      paint: () => Promise.reject(new PackshotError("model_unavailable", "gone")),
    };
    await expect(edit(away, { parameters: { outputs: [amazon, large] } })).rejects.toMatchObject({
      code: "model_unavailable",
    });
  });
});

test("a picture that takes longer than the job may fails the edit with deadline_exceeded", async () => {
  const first = Promise.withResolvers<void>();
  const slow = client.painter("slow");
  const late: Painter = {
    describe: slow.describe,
    paint: (request) => slow.paint({ ...request, deadlineAtMs: Date.now() + 100, onStep: () => first.resolve() }),
  };
  await expect(edit(late)).rejects.toMatchObject({ code: "deadline_exceeded" });
});

describe("a model that does not paint in time", () => {
  /** Its first step takes longer than it may. */
  const tooSlow = { painter: () => client.painter("slow"), paintTimeoutMs: 100 };

  test("fails an edit that asks for it, by a code of its own", async () => {
    const { painter, paintTimeoutMs } = tooSlow;
    await expect(edit(painter(), { paintTimeoutMs })).rejects.toMatchObject({ code: "image_model_timeout" });
  });

  test("leaves the renderer's scene, to the byte, where the engine was left open, and is asked once", async () => {
    const { painter, requests } = afterOne(client.painter("slow"), client.painter("slow"));
    const { bytes, report, scene } = await edit(painter, { paintTimeoutMs: 100, mayRender: true });
    expect(scene).toMatchObject({ engine: "renderer", imageModel: "slow@1", redraws: 0, rejections: ["timed_out"] });
    expect(report.digitalSourceType).toBe("compositeSynthetic");
    expect(requests).toHaveLength(1);
    expect(bytes.equals((await renderedByDefault()).bytes)).toBe(true);
  });

  test("leaves it before the job's own time is over, too", async () => {
    const deadlineAtMs = Date.now() + 30_100;
    const { scene } = await edit(tooSlow.painter(), { deadlineAtMs, mayRender: true });
    expect(scene).toMatchObject({ engine: "renderer", rejections: ["timed_out"] });
  });

  test("has one time for all variations: what is not painted then is the renderer's", async () => {
    const hourMs = 3_600_000;
    const known = client.painter("known");
    const requests: PaintRequest[] = [];
    let lateByMs = 0;
    const clock = vi.spyOn(Date, "now").mockImplementation(() => performance.timeOrigin + performance.now() + lateByMs);
    onTestFinished(() => clock.mockRestore());
    const painter: Painter = {
      describe: known.describe,
      async paint(request) {
        requests.push(request);
        const painted = await known.paint(request);
        if (requests.length === 2) lateByMs = hourMs;
        return painted;
      },
    };
    const asked = { parameters: { variations: 4 }, deadlineAtMs: Date.now() + 10 * hourMs, paintTimeoutMs: hourMs };
    const { scene, variations } = await edit(painter, { ...asked, mayRender: true });
    expect(requests[1]!.deadlineAtMs).toBe(requests[0]!.deadlineAtMs);
    expect(requests).toHaveLength(2);
    const scenes = [scene, ...variations.map(({ report }) => report.scene ?? scene)];
    const late = { engine: "renderer", rejections: ["timed_out"] };
    expect(scenes).toMatchObject([{ engine: "generative" }, { engine: "generative" }, late, late]);
  });

  test("fails all files of an edit that asks for it: none of them is charged", async () => {
    const known = client.painter("known");
    let asked = 0;
    const painter: Painter = {
      describe: known.describe,
      async paint(request) {
        asked += 1;
        if (asked === 1) return await known.paint(request);
        throw new PackshotError("deadline_exceeded", "The model did not answer before the edit's deadline.");
      },
    };
    const outputs = [
      { name: "square", output: { width: 256, height: 256 } },
      { name: "wide", output: { width: 256, height: 128 } },
    ];
    await expect(edit(painter, { parameters: { outputs }, paintTimeoutMs: 50_000 })).rejects.toMatchObject({
      code: "image_model_timeout",
    });
  });

  test("is there for nobody: the renderer's scene is the result", async () => {
    const { bytes, scene } = await edit(undefined, { mayRender: true });
    expect(scene).toMatchObject({ engine: "renderer", rejections: ["timed_out"] });
    // Nobody was asked.
    expect(Object.keys(scene).filter((key) => ["imageModel", "steps", "seconds", "redraws"].includes(key))).toEqual([]);
    expect(bytes.equals((await renderedByDefault()).bytes)).toBe(true);
  });
});

test("an edit that is given up while the model paints ends after the step", async () => {
  const abort = new AbortController();
  const stepped: unknown[] = [];
  const onStage = (_stage: string, done?: object) => {
    if (done === undefined) return;
    stepped.push(done);
    abort.abort("given up");
  };
  await expect(edit(client.painter("slow"), { onStage, signal: abort.signal })).rejects.toBe("given up");
  expect(stepped).toEqual([{ step: 1, steps }]);
});

test("what stands keeps its contact shadow, whatever the model paints there", async () => {
  const known = client.painter("known");
  const paint: Painter["paint"] = async (request) => ({
    ...(await known.paint(request)),
    picture: request.reference.map((value, at) => (request.fill[Math.floor(at / 3)] === 255 ? 255 : value)),
  });
  const white: Painter = { describe: known.describe, paint };
  const { bytes, report } = await edit(white);
  const { foreground } = report as { foreground: { left: number; top: number; width: number; height: number } };
  const pixels = await pixelsOf(bytes);
  const column = Math.round(foreground.left + foreground.width / 2);
  const below = Math.round(foreground.top + foreground.height) + 3;
  const levels = Array.from({ length: 8 }, (_, row) => pixels[((below + row) * 512 + column) * 3]!);
  expect(Math.min(...levels)).toBeLessThan(215);
  // Far from it nothing darkens the white but the grain of film.
  expect(pixels[(500 * 512 + 20) * 3]).toBeGreaterThan(245);
});

test.each([
  { what: "keeps the rendered scene", model: "kept" },
  { what: "paints it in another color and keeps its shadow", model: "known" },
])("of a model that $what the contact shadow is there once", async ({ model }) => {
  const known = client.painter("known");
  const paint: Painter["paint"] = async (request) => ({ ...(await known.paint(request)), picture: request.reference });
  const painter = model === "kept" ? { describe: known.describe, paint } : known;
  const { bytes, report } = await edit(painter, { parameters: { prompt: "oak" } });
  const { foreground } = report as { foreground: { left: number; top: number; width: number; height: number } };
  const [pixels, plain] = await Promise.all([bytes, (await renderedByDefault()).bytes].map(pixelsOf));
  const added = model === "kept" ? 0 : await colorOf("oak");
  const below = Math.round(foreground.top + foreground.height) + 4;
  let sum = 0;
  let count = 0;
  for (let y = below; y < below + 8; y++) {
    for (let x = foreground.left; x < foreground.left + foreground.width; x++, count++) {
      sum += pixels![(y * 512 + x) * 3]! - plain![(y * 512 + x) * 3]! - added;
    }
  }
  expect(Math.abs(sum / count)).toBeLessThan(3);
});
