/** One edit from bytes to bytes: each tool's pipeline. It has no global state, so edits may run in worker threads. */

import type { SceneEngine } from "@packshot/domain/edits/engine.ts";
import { type Rendition, renditionsOf, sceneKeyOf } from "@packshot/domain/edits/rendition.ts";
import { PackshotError } from "@packshot/domain/errors.ts";
import { encodeProof } from "../../imaging/codec/proof-pictures.ts";
import { cutOutImage, matteImage } from "../../imaging/output/cut-out-image.ts";
import { placeInFrame } from "../../imaging/output/place-in-frame.ts";
import type { CutOut } from "../../imaging/pixels/cut-out.ts";
import type { Size } from "../../imaging/pixels/geometry.ts";
import { freePlanes } from "../../imaging/pixels/image.ts";
import { type ProductPose, poseAs } from "../../imaging/shadow/pose.ts";
import { cutOutProduct, type Product } from "../cut-out/cut-out.ts";
import type { FinishedCutOut, Refined } from "../cut-out/cut-out-context.ts";
import {
  type EditInput,
  type EditOutput,
  type EditStart,
  type EncodedOutput,
  type UndrawnOutput,
  type Variation,
  variationSeed,
} from "../edit.ts";
import {
  createPaintDeadline,
  type DrawnScene,
  type GeneratedScene,
  generateScene,
  type PaintDeadline,
  type SharedPicture,
  type SharedPictures,
} from "../generated/generate-scene.ts";
import { runStages, type Timings } from "../pipeline.ts";
import { type Edited, type Encoded, encodeEdited } from "../result/encode-edited.ts";
import { serializeError } from "../serialized-error.ts";
import { askedPose, editWithScene, standOf } from "./ai-bg.ts";
import { editWithShadow, poseInPhoto } from "./ai-shadows.ts";

const sceneStages = [{ name: "ai-bg", run: makeScene }] as const;
const editStages = {
  mask: [
    { name: "mask", run: renderCutOut },
    { name: "encode", run: encodeEdited },
  ],
  "ai-shadows": [
    { name: "ai-shadows", run: castShadow },
    { name: "encode", run: encodeEdited },
  ],
  "ai-bg": [...sceneStages, { name: "encode", run: encodeEdited }],
} as const;

/** @throws PackshotError with a code that a job's `error.code` may carry, or the signal's reason when aborted */
export async function runEdit(input: EditInput): Promise<EditOutput> {
  const painting = { pictures: new Map(), paintUntilMs: createPaintDeadline(input) };
  const product: ProductOfEdit = { ...(await cutOutProduct(input)), ...painting };
  const renditions = renditionsOf(input.tool, input.parameters);
  const [first, ...further] = renditions;
  const paintedBefore = input.parameters.engine === "generative" ? await paintLargest(product, renditions) : {};
  const start = first === undefined ? product : startOf(product, first, further);
  const stages = editStages[start.input.tool];
  const { result, layers, thumbnail, shadow, model, report, timings } = await runStages(stages, start);
  const { madeMatte, tookKeptMatte } = product;
  const total: Record<string, number> = { ...timings };
  addTimes(total, paintedBefore);
  const variations = await drawVariations(product, { report, total });
  const outputs = first === undefined ? undefined : await drawOutputs(product, further, { report, total });
  const proof = report.quality === "review" ? await encodeProof(product.photo, product.cut.alpha) : undefined;
  // What a file that failed has started may still read them.
  if (outputs === undefined) freePlanesOf(product);
  return {
    result,
    ...(variations.length === 0 ? {} : { variations }),
    ...(outputs === undefined ? {} : { outputs }),
    layers,
    thumbnail: thumbnail!,
    shadow,
    proof,
    madeMatte,
    model,
    report: tookKeptMatte ? { ...report, matteOf: input.keptMatte!.jobId } : report,
    timings: total,
  };
}

/** Nothing reads them any more: all is encoded. Those of an edit that fails are left to V8. */
function freePlanesOf({ photo, cut, reduced, onGrid }: Product): void {
  freePlanes([photo.rgb, photo.alpha, cut.rgb, cut.alpha, cut.reduced?.pixels, reduced?.rgb, onGrid?.rgb]);
}

interface ProductOfEdit extends Product {
  readonly pictures: SharedPictures;
  /** One time for all variations and files: how long an edit takes does not depend on their number. */
  readonly paintUntilMs: PaintDeadline;
}

/** A product from which a file is drawn. */
interface FileStart extends ProductOfEdit {
  /** undefined: an edit without files of `outputs`, or a file without a scene. */
  readonly shared?: SharedPicture | undefined;
}

/**
 * A picture that files share is painted for the largest of them: where another one comes first, the scene is drawn once more.
 *
 * @returns milliseconds of what was drawn once more, by stage
 */
async function paintLargest(
  product: ProductOfEdit,
  renditions: readonly Rendition<EditInput["parameters"]>[],
): Promise<Timings["timings"]> {
  const total: Record<string, number> = {};
  for (const sharing of Map.groupBy(renditions, sceneKeyOf).values()) {
    const largest = sharing.reduce((most, each) =>
      pixelsOf(each, product.photo) > pixelsOf(most, product.photo) ? each : most,
    );
    if (largest.tool !== "ai-bg" || largest === sharing[0]) continue;
    const { timings } = await runStages(sceneStages, startOf(product, largest, sharing));
    addTimes(total, timings, product.timings);
  }
  return total;
}

/** @param before by stages that ran before, which are left out */
function addTimes(total: Record<string, number>, timings: Timings["timings"], before: Timings["timings"] = {}): void {
  for (const [name, ms] of Object.entries(timings)) {
    if (before[name] === undefined) total[name] = (total[name] ?? 0) + ms;
  }
}

/** Its frame's, which has the photo's aspect ratio where the file does not say its own. */
function pixelsOf({ parameters: { output = {} } }: Rendition, photo: Size): number {
  const { width, height } = output;
  const aspect = photo.width / photo.height;
  if (width !== undefined) return width * (height ?? width / aspect);
  return height === undefined ? photo.width * photo.height : height * height * aspect;
}

interface FirstFile {
  readonly report: EditOutput["report"];
  /** Milliseconds by stage; what the files take is added. */
  readonly total: Record<string, number>;
}

async function drawVariations(product: ProductOfEdit, { report: ofFirst, total }: FirstFile): Promise<Variation[]> {
  const { input } = product;
  const { variations: count = 1, seed } = input.parameters;
  const variations: Variation[] = [];
  for (let after = 1; after < count; after++) {
    const parameters = { ...input.parameters, seed: variationSeed(seed, after) };
    const { result: image, report } = await drawFurther({ ...product, input: { ...input, parameters } }, total);
    variations.push({ image, report: differences(report, ofFirst) });
  }
  return variations;
}

/** One after the other, each of which fails alone. */
async function drawOutputs(
  product: ProductOfEdit,
  renditions: readonly Rendition<EditInput["parameters"]>[],
  { report: ofFirst, total }: FirstFile,
): Promise<(EncodedOutput | UndrawnOutput)[]> {
  const outputs: (EncodedOutput | UndrawnOutput)[] = [];
  for (const [index, rendition] of renditions.entries()) {
    const { name } = rendition;
    try {
      const start = startOf(product, rendition, renditions.slice(index + 1));
      const { result: image, report } = await drawFurther(start, total);
      outputs.push({ name, image, report: differences(report, ofFirst) });
    } catch (error) {
      product.input.signal.throwIfAborted();
      if (isModelsFault(error)) throw error;
      outputs.push({ name, position: index + 1, cause: serializeError(error) });
    }
  }
  return outputs;
}

const modelsFaults: readonly string[] = ["model_unavailable", "image_model_timeout", "deadline_exceeded"];

/** A model is away or late: that is no fault of one file. */
function isModelsFault(error: unknown): boolean {
  return error instanceof PackshotError && modelsFaults.includes(error.code);
}

async function drawFurther(start: FileStart, total: Record<string, number>): Promise<Encoded> {
  const stages = editStages[start.input.tool];
  const drawn = await runStages(stages, { ...start, input: { ...start.input, isFurther: true as const } });
  addTimes(total, drawn.timings, start.timings);
  return drawn;
}

/**
 * The cut-out is the edit's; all after it goes by the file's own tool and parameters.
 *
 * @param later files that are drawn after it
 */
function startOf(
  product: ProductOfEdit,
  rendition: Rendition<EditInput["parameters"]>,
  later: readonly Rendition[],
): FileStart {
  const { tool, parameters, hasOwnBackground } = rendition;
  const { background, ...input } = product.input;
  const behind = hasOwnBackground || background === undefined ? {} : { background };
  const key = sceneKeyOf(rendition);
  const isShownLater = later.some((other) => sceneKeyOf(other) === key);
  const shared = key === undefined ? undefined : { key, pictures: product.pictures, isShownLater };
  return { ...product, shared, input: { ...input, ...behind, tool, parameters } };
}

/** What of a file's report is not in the first one's: the cut-out's part of it is the same. */
function differences(report: EditOutput["report"], ofFirst: EditOutput["report"]): EditOutput["report"] {
  const differs = ([field, value]: [string, unknown]) =>
    value !== undefined && JSON.stringify(value) !== JSON.stringify(ofFirst[field]);
  return Object.fromEntries(Object.entries(report).filter(differs));
}

async function renderCutOut({ input, cut }: EditStart & FinishedCutOut): Promise<Edited> {
  return { edited: input.parameters.alphaOnly ? matteImage(cut) : cutOutImage(cut) };
}

type WithShadow = EditStart & FinishedCutOut & Pick<Refined, "naturalShadow">;
type SceneStart = WithShadow & Pick<FileStart, "shared" | "paintUntilMs">;

async function castShadow({ input, cut, naturalShadow }: WithShadow): Promise<Edited & Timings> {
  return await editWithShadow(cut, input, naturalShadow);
}

/** A scene fills its frame, so the product is placed in the frame before the scene is painted around it. */
async function makeScene(start: SceneStart): Promise<Edited & Timings & Partial<EditStart>> {
  const { input, cut, naturalShadow } = start;
  // In its frame, what the border cut and what shadow it had can no longer be seen.
  const pose = poseInPhoto(cut, askedPose(input.parameters), naturalShadow);
  const framed = await placeInFrame(cut, input.parameters.output, standOf(pose, input.parameters));
  const generator = input.parameters.engine === "generative" ? createGenerator(start) : undefined;
  const options = { pose: framed ? poseIn(framed.cut, pose) : pose, generate: generator?.generate };
  const { edited, timings } = await editWithScene(framed?.cut ?? cut, input, options);
  const made = { edited, timings, ...(framed && { placed: framed.layout }) };
  // A rejected picture is in no part of the result: its file says so.
  if (generator?.engine !== "renderer") return made;
  const parameters = { ...input.parameters, engine: generator.engine };
  return { ...made, input: { ...input, parameters } };
}

function poseIn({ alpha, width, height }: CutOut, pose: ProductPose | null): ProductPose | null {
  return pose && poseAs(pose, alpha, width, height);
}

function createGenerator({ input, shared, paintUntilMs: untilMs }: SceneStart) {
  let engine: SceneEngine = "generative";
  return {
    get engine() {
      return engine;
    },
    async generate(drawn: DrawnScene): Promise<GeneratedScene> {
      const generated = await generateScene(input, drawn, { untilMs, shared });
      engine = generated.report.engine;
      return generated;
    },
  };
}
