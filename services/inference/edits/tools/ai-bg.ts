/** `ai-bg`: the product in a scene that is made from the words of a theme. */

import type { ShadowParameters } from "@packshot/domain/edits/shadow.ts";
import type { SceneParameters } from "@packshot/domain/edits/tools.ts";
import { decoderOf } from "../../decoder/image-decoder.ts";
import { openReferencePicture } from "../../imaging/codec/reference-picture.ts";
import type { Stand } from "../../imaging/output/layout.ts";
import { imageOfLayers } from "../../imaging/output/stack-layers.ts";
import type { CutOut } from "../../imaging/pixels/cut-out.ts";
import type { Box } from "../../imaging/pixels/geometry.ts";
import { type Camera, fitCamera, withFeetBelow } from "../../imaging/scene/canvas/camera.ts";
import { luminance } from "../../imaging/scene/canvas/color.ts";
import { outOfSight } from "../../imaging/scene/canvas/in-sight.ts";
import { smoothstep } from "../../imaging/scene/canvas/noise.ts";
import { composeScene, composeSceneLayers, type SceneLayers } from "../../imaging/scene/compose-scene.ts";
import { applyDepthOfField } from "../../imaging/scene/ground/depth-of-field.ts";
import { groundReflectance } from "../../imaging/scene/ground/ground-mirror.ts";
import { hangFromRail, hangsThere } from "../../imaging/scene/hang-garment.ts";
import { type Harmonized, harmonize } from "../../imaging/scene/harmonize.ts";
import { isLaidOut } from "../../imaging/scene/laid-out.ts";
import { giveBackLight } from "../../imaging/scene/light-memory.ts";
import { drawItems, drawThings } from "../../imaging/scene/motifs/draw-thing.ts";
import { notShown, propsIn, thingsIn } from "../../imaging/scene/not-shown.ts";
import { liesThere } from "../../imaging/scene/plan/lay-glasses.ts";
import { placeItems } from "../../imaging/scene/plan/lay-places.ts";
import { lookDownAt, withoutHighThings } from "../../imaging/scene/plan/look-down.ts";
import { hiddenBelow } from "../../imaging/scene/plan/outlined-length.ts";
import { withoutOtherBalls } from "../../imaging/scene/plan/own-ball.ts";
import { planScene, type ScenePlan } from "../../imaging/scene/plan/scene-plan.ts";
import { seenFromAbove } from "../../imaging/scene/plan/seen-from-above.ts";
import { standOnFloor } from "../../imaging/scene/plan/stand-on-floor.ts";
import { readReference, type SceneReference } from "../../imaging/scene/read-reference.ts";
import { groundFadeShare, type Reflection, renderReflection } from "../../imaging/scene/reflection.ts";
import { type RenderedScene, renderScene } from "../../imaging/scene/render-scene.ts";
import { splashAround } from "../../imaging/scene/splash.ts";
import { standThings } from "../../imaging/scene/standing-things/stand-things.ts";
import { toneMap } from "../../imaging/scene/tone-map.ts";
import { type Avoided, readAvoid, splitNegations } from "../../imaging/scene/words/avoid.ts";
import { parseTheme, type Theme } from "../../imaging/scene/words/theme.ts";
import type { ShadowLayer } from "../../imaging/shadow/cast-shadow.ts";
import { elevationOf, type Light, type LightAt } from "../../imaging/shadow/light.ts";
import { type ProductPose, setDown } from "../../imaging/shadow/pose.ts";
import {
  chooseKindInScene,
  isHung,
  makeShadow,
  mirroredShare,
  relativeLength,
  type SceneKind,
} from "../../imaging/shadow/shadow-kinds.ts";
import type { EditInput } from "../edit.ts";
import type { DrawnScene, GeneratedScene } from "../generated/generate-scene.ts";
import { runStages, type Timings } from "../pipeline.ts";
import type { Edited } from "../result/encode-edited.ts";
import { poseInPhoto, shadowColor, shadowReport } from "./ai-shadows.ts";
import { hiddenBy } from "./hidden-spans.ts";

const drawingStages = [
  { name: "plan", run: plan },
  { name: "scene", run: paintScene },
  { name: "harmonize", run: harmonizeProduct },
  { name: "shadow", run: castShadowAndReflection },
] as const;
const renderedStages = [...drawingStages, { name: "compose", run: compose }] as const;
const generatedStages = [
  ...drawingStages,
  { name: "paint", run: paintOver },
  { name: "compose", run: compose },
] as const;

interface Start {
  readonly cut: CutOut;
  readonly input: Pick<EditInput, "parameters" | "decoder" | "palette" | "maxPixels" | "signal" | "onStage">;
  /** The product's pose, where the photo has told it; absent: what the cut-out tells. */
  readonly known?: ProductPose;
  /** Paints over the scene. */
  readonly generate?: (drawn: DrawnScene) => Promise<GeneratedScene>;
}

export interface SceneOptions {
  readonly pose?: ProductPose | null;
  readonly generate?: Start["generate"] | undefined;
}

/**
 * Puts the product into a scene made from `parameters.theme`: RGB, the size of the cut-out. Pixels of the product with
 * alpha 255 are the source's own.
 */
export async function editWithScene(
  cut: CutOut,
  input: Start["input"],
  { pose = null, generate }: SceneOptions = {},
): Promise<Edited & Timings> {
  const start = { cut, input, ...(pose === null ? {} : { known: pose }) };
  const { edited, timings } =
    generate === undefined
      ? await runStages(renderedStages, start)
      : await runStages(generatedStages, { ...start, generate });
  return { edited, timings };
}

/** The scene is painted at a quarter of the image's pixels within these bounds and enlarged: most of it is blurred. */
const scenePixelsMin = 640_000;
const scenePixelsMax = 2_000_000;
/** Where products stand before a fixed camera. */
const defaultProductHeight = 0.6;
const defaultBaseline = 0.86;
/** Photos of a set, and a scene without a product, have a camera that looks down by 17°. */
const usualPitch = 0.29;
/** Elsewhere it looks as the photo's did. A steeper one would have no horizon in the image. */
const scenePitch = [0.16, 0.5] as const;

interface Planned {
  readonly theme: Theme;
  /** undefined: the request avoids nothing. */
  readonly avoided: Avoided | undefined;
  /** undefined: the request brings no picture. */
  readonly reference: SceneReference | undefined;
  readonly scenePlan: ScenePlan;
  readonly pose: ProductPose | null;
  readonly camera: Camera;
}

function readTheme(text: string, avoid: string) {
  const { wanted, unwanted } = splitNegations(text);
  const avoided = avoid + unwanted === "" ? undefined : readAvoid(`${avoid}, ${unwanted}`, wanted);
  return { theme: parseTheme(wanted, avoided), avoided };
}

/** The scene that the words of a request make, without its light. */
function planOf(
  { theme: text = "", avoid = "", palette: given = [], seed }: EditInput["parameters"],
  reference: SceneReference | undefined,
) {
  const palette = [...given, ...(reference?.palette.slice(given.length) ?? [])];
  const { theme, avoided } = readTheme(text, avoid);
  const scenePlan = planScene(theme, text, seed, { palette, ...(avoided && { without: avoided.things }) });
  return { theme, avoided, scenePlan };
}

/** Where the product is to stand in its frame; undefined: the camera follows from the product. */
export function standOf(pose: ProductPose | null, { scene }: EditInput["parameters"]): Stand | undefined {
  if (scene === undefined) return undefined;
  const { productHeight = defaultProductHeight, baseline = defaultBaseline } = scene;
  return pose !== null && setDown(pose).view === "above" ? { productHeight } : { productHeight, baseline };
}

async function plan({ cut, input, known }: Start): Promise<Planned> {
  const { scene, shadow } = input.parameters;
  const reference = await openReference(input);
  const { theme: read, avoided, scenePlan: ofTheme } = planOf(input.parameters, reference);
  const found = known ?? poseInPhoto(cut, askedPose(input.parameters));
  const lit = withLamp(ofTheme, { ...shadow, direction: shadow?.direction ?? reference?.direction });
  const { pose, pitch, isSteep = false } = posedIn(lit, found, input.parameters);
  // A product whose foot the frame cuts off stands on nothing that can be seen.
  const stood: ScenePlan =
    pose === null ? { ...lit, isEmpty: true } : isCutAtBottom(pose) ? { ...lit, stand: null } : lit;
  // Photos of a set have one ground and one background, whatever their products.
  const own = scene === undefined ? pose : null;
  const onFloor = standOnFloor(stood, read, own, input.parameters.theme ?? "");
  const seen = pose?.view === "above" ? seenFromAbove(stood, own) : onFloor;
  const inRoom = isSteep ? withoutHighThings(seen, read) : { plan: seen, theme: read };
  const { plan: scenePlan, theme } = withoutOtherBalls(inRoom.plan, inRoom.theme, own);
  const sourcePixels = cut.width * cut.height;
  const scenePixels = Math.min(scenePixelsMax, Math.max(scenePixelsMin, sourcePixels / 4));
  const scale = Math.min(1, Math.sqrt(scenePixels / sourcePixels));
  const width = Math.max(1, Math.round(cut.width * scale));
  const height = Math.max(1, Math.round(cut.height * scale));
  const fixed = scene && { baseline: scene.baseline ?? defaultBaseline };
  const fitted = fitCamera(pose, width, height, scale, pitch, fixed, isSteep);
  const isInStreet = own !== null && scenePlan.decor === "town";
  const camera = isInStreet ? withFeetBelow(fitted, hiddenBelow(own)) : fitted;
  return { theme, avoided, reference, scenePlan, pose, camera };
}

/** The product as it is in the scene, and the sine of the camera's pitch. */
function posedIn(scenePlan: ScenePlan, found: ProductPose | null, parameters: EditInput["parameters"]) {
  const { scene, camera = "auto", pose = "auto", theme = "" } = parameters;
  const stood = found && setDown(found);
  const isFree = scene === undefined && camera === "auto" && pose === "auto";
  const rested =
    stood !== null && isFree && (liesThere(stood, scenePlan) || isLaidOut(stood))
      ? ({ ...stood, stance: "lying", view: "above" } satisfies ProductPose)
      : stood;
  if (rested !== null && scene === undefined && camera !== "above" && hangsThere(rested, scenePlan)) {
    const [pitch] = scenePitch;
    return { pose: { ...rested, view: "level", pitch } satisfies ProductPose, pitch };
  }
  const mayLookDown = scene === undefined && camera === "auto";
  const steep = rested !== null && mayLookDown ? lookDownAt(rested, scenePlan, theme) : undefined;
  if (steep !== undefined) return { pose: steep, pitch: steep.pitch, isSteep: true };
  const pitch = pitchOf(scene, found);
  return { pose: rested && { ...rested, pitch }, pitch };
}

/** A theme that names a flat lay lays the product down, unless the request says how it stands. */
export function askedPose(parameters: EditInput["parameters"]): EditInput["parameters"] {
  const isSaid = parameters.pose !== undefined || parameters.camera !== undefined;
  const { theme = "", avoid = "" } = parameters;
  if (isSaid || !readTheme(theme, avoid).theme.isFlatLay) return parameters;
  return { ...parameters, pose: "lying", camera: "above" };
}

async function openReference(input: Start["input"]): Promise<SceneReference | undefined> {
  if (input.palette === undefined) return undefined;
  return readReference(await openReferencePicture(input.palette, input, decoderOf(input).openPicture));
}

function pitchOf(scene: SceneParameters | undefined, pose: ProductPose | null): number {
  if (scene?.cameraPitch !== undefined) return Math.sin((scene.cameraPitch * Math.PI) / 180);
  if (scene !== undefined || pose === null) return usualPitch;
  const [least, most] = scenePitch;
  return Math.min(most, Math.max(least, pose.pitch));
}

/** What the request says of the light replaces what the theme and the seed say. */
function withLamp(scenePlan: ScenePlan, { direction, softness, length, opacity }: ShadowParameters = {}): ScenePlan {
  const { lighting } = scenePlan;
  const lamp = {
    ...lighting.lamp,
    directionDeg: (direction ?? lighting.lamp.directionDeg) % 360,
    elevationDeg: length === undefined ? lighting.lamp.elevationDeg : elevationOf(length),
    softness: softness ?? lighting.lamp.softness,
    opacity: opacity ?? lighting.lamp.opacity,
  };
  return { ...scenePlan, lighting: { ...lighting, lamp } };
}

interface Painted {
  readonly scene: RenderedScene;
  /** Names of drawings and props that are behind the product. */
  readonly unseen: ReadonlySet<string>;
}

async function paintScene({ cut, input, scenePlan, camera, pose }: Start & Planned): Promise<Painted> {
  // Photos of a set stand on one podium, whatever their product's size.
  const posed = input.parameters.scene === undefined ? pose : null;
  const things = await drawThings(thingsIn(scenePlan, camera.view));
  const items = camera.view === "above" ? await drawItems(placeItems(scenePlan)) : [];
  // The layer of the background shows what is behind the product, too.
  const hidden = input.parameters.layers === true ? null : hiddenBy(cut, camera);
  const scene = renderScene(scenePlan, camera, posed, hidden, things, items);
  // Rendering takes longest, so the event loop turns once more: a cancellation can arrive before the depth of field.
  await new Promise(setImmediate);
  input.signal.throwIfAborted();
  applyDepthOfField(scene, camera);
  const sightings = [...scene.sightings];
  if (camera.view === "level") {
    sightings.push(...standThings(scene, scenePlan, camera, posed, things));
    // It is not of the place, but of the product: a wider one would hide it.
    splashAround(scene.light, scenePlan, camera, pose);
    if (pose !== null && isHung(pose)) hangFromRail(scene.light, scenePlan, camera, pose);
  }
  toneMap(scene.light, scenePlan, camera);
  return { scene, unseen: outOfSight(sightings, pose) };
}

interface Lit {
  /** As the scene lights it; the cut-out itself where nothing was asked for. */
  readonly product: CutOut;
  readonly harmonized?: Harmonized;
}

async function harmonizeProduct({ cut, input, scene, scenePlan, camera }: Start & Planned & Painted): Promise<Lit> {
  const { harmonize: strength = 0 } = input.parameters;
  if (strength === 0) return { product: cut };
  const harmonized = harmonize(cut, scene.light, camera, scenePlan, strength);
  return { product: harmonized.cut, harmonized };
}

interface Shadowed {
  readonly kind: SceneKind;
  readonly shadow: ShadowLayer | null;
  readonly reflection: Reflection | null;
}

async function castShadowAndReflection(context: Start & Planned & Painted & Lit): Promise<Shadowed> {
  const { input, product: cut, scenePlan, pose, camera, scene } = context;
  const requested = input.parameters.shadow ?? {};
  const kind = pose === null ? "none" : chooseKindInScene(pose, requested);
  if (pose === null || kind === "none") return { kind: "none", shadow: null, reflection: null };
  const shadow = makeShadow(kind, pose, onGround(context), cut, relativeLength(requested));
  const reflection = reflectionOf(cut, kind, pose, scenePlan, shadow);
  // The outline falls on the wall behind, not on what the product stands on.
  if (scene.standTop !== null && kind !== "drop") {
    clipToStand(shadow, reflection, scene.standTop, camera, cut.width / camera.width);
  }
  return { kind, shadow, reflection };
}

/** Light that a dark ground throws back, and a light one; the eye sees shadows on the dark one less. */
const darkGround = 0.02;
const lightGround = 0.2;
/** How much firmer the contact line is than that of a shadow without a scene, on a light ground and on a dark one. */
const contactGains = [1.5, 2.2] as const;
/** Where light comes from everywhere, a product whose foot is not plainly darker seems to hover. */
const footShade = 0.5;

/** The lamp of the product's shadow. On a dark ground the contact line is firmer, or the product would seem to hover. */
function onGround({ scenePlan: { lighting, surfaceColor }, scene, camera, product }: Planned & Painted & Lit): Light {
  const scale = camera.width / product.width;
  const reaches: LightAt = (x, y) => scene.litAt(x * scale, y * scale);
  const thrownBack = luminance(surfaceColor) * (luminance(lighting.key) + luminance(lighting.ambient));
  const contactGain =
    contactGains[0] + (contactGains[1] - contactGains[0]) * (1 - smoothstep(darkGround, lightGround, thrownBack));
  return { ...lighting.lamp, contactGain, footShade, reaches };
}

/** A glossy ground mirrors what stands on it, whether or not that is the shadow that was asked for. */
function reflectionOf(
  cut: CutOut,
  kind: SceneKind,
  pose: ProductPose,
  scenePlan: ScenePlan,
  grid: ShadowLayer,
): Reflection | null {
  const ofGround = groundReflectance(scenePlan);
  if (kind === "reflection") {
    return renderReflection(cut, { ...pose, view: "level" }, grid, Math.max(mirroredShare, ofGround));
  }
  // What hovers or hangs would be mirrored elsewhere.
  return kind === "cast" || kind === "contact" ? renderReflection(cut, pose, grid, ofGround, groundFadeShare) : null;
}

/** Shadow and reflection end where the stand does. */
function clipToStand(
  shadow: ShadowLayer,
  reflection: Reflection | null,
  standTop: Float32Array,
  camera: Camera,
  scale: number,
): void {
  const place = (point: number, end: number) => Math.min(end - 1, Math.floor((point * shadow.stepPx) / scale));
  const columns = Int32Array.from({ length: shadow.width }, (_, column) => place(column, camera.width));
  const whole = { left: 0, top: 0, width: shadow.width, height: shadow.height };
  const clip = (plane: Float32Array, { left, top, width, height }: Box) => {
    for (let row = top; row < top + height; row++) {
      const start = place(row, camera.height) * camera.width;
      takeShares(
        plane,
        row * shadow.width,
        standTop.subarray(start, start + camera.width),
        columns,
        left,
        left + width,
      );
    }
  };
  clip(shadow.darkness, whole);
  if (reflection === null) return;
  for (const plane of [reflection.alpha, ...reflection.color]) clip(plane, reflection.box);
}

function takeShares(
  plane: Float32Array,
  row: number,
  shares: Float32Array,
  columns: Int32Array,
  from: number,
  to: number,
): void {
  for (let x = from; x < to; x++) plane[row + x]! *= shares[columns[x]!]!;
}

function isCutAtBottom({ reason }: ProductPose): boolean {
  return reason === "cut-at-bottom";
}

type Drawn = Start & Planned & Painted & Lit & Shadowed;

function layersOf({ input, scenePlan, camera, scene, shadow, reflection }: Drawn): SceneLayers {
  return {
    scene: scene.light,
    sceneWidth: camera.width,
    sceneHeight: camera.height,
    shadow,
    reflection,
    shadowFloor: shadowFloorOf(scenePlan),
    shadowColor: shadowColor(input.parameters.shadow) ?? null,
    grain: 1.7,
    seed: scenePlan.seed,
  };
}

interface Overpainted {
  readonly generated?: GeneratedScene;
}

async function paintOver(context: Drawn & Required<Pick<Start, "generate">>): Promise<Overpainted> {
  const { product, generate } = context;
  return { generated: await generate({ product, layers: layersOf(context), contact: contactShadow(context) }) };
}

/** What stands touches its ground; what hovers, hangs or lies on no ground does not. */
function contactShadow(context: Drawn): ShadowLayer | null {
  const { input, product, pose, camera, scene, kind } = context;
  if (pose === null || (kind !== "cast" && kind !== "contact")) return null;
  const shadow = makeShadow("contact", pose, onGround(context), product, relativeLength(input.parameters.shadow ?? {}));
  if (scene.standTop !== null) clipToStand(shadow, null, scene.standTop, camera, product.width / camera.width);
  return shadow;
}

async function compose(context: Drawn & Overpainted): Promise<Edited> {
  const { input, product: cut, harmonized, scenePlan, pose, camera, scene, kind, generated } = context;
  const parts = generated?.layers ?? layersOf(context);
  const report = {
    scene: { ...sceneReport(context, camera.view), ...(generated?.report ?? { engine: "renderer" }) },
    shadow: { ...shadowReport(scenePlan.lighting.lamp, pose), kind },
    ...(harmonized && { harmonize: harmonized.report, changedOpaqueShare: harmonized.changedShare }),
  };
  const { width, height, icc } = cut;
  const form = { width, height, icc };
  if (input.parameters.layers !== true) {
    const pixels = composeScene(cut, parts);
    giveBackLight(scene.light);
    return { edited: { ...form, channels: 3, pixels, report } };
  }
  const { background, shadow: difference, product } = composeSceneLayers(cut, parts);
  giveBackLight(scene.light);
  const layers = [
    { name: "background", image: { ...form, channels: 3, pixels: background } },
    { name: "shadow", image: { ...form, channels: 4, pixels: difference } },
    { name: "product", image: { ...form, channels: 4, pixels: product } },
  ] as const;
  return { edited: imageOfLayers(layers, { report }) };
}

/** What a full shadow leaves of each channel: where the lamp does not reach, the sky's color remains. */
function shadowFloorOf({ lighting }: ScenePlan): readonly [number, number, number] {
  const brightest = Math.max(...lighting.ambient, 0.001);
  return [
    0.1 * (lighting.ambient[0] / brightest),
    0.1 * (lighting.ambient[1] / brightest),
    0.1 * (lighting.ambient[2] / brightest),
  ];
}

function sceneReport({ theme, avoided, reference, scenePlan, scene, unseen }: Planned & Painted, view: Camera["view"]) {
  const { surface, backdrop, lightKind, stand } = scenePlan;
  const isFromAbove = view === "above";
  const drawn = thingsIn(scenePlan, view).map(({ name }) => name);
  const laid = isFromAbove
    ? drawn.filter((name) => scene.laid.drawings.has(name))
    : drawn.filter((name) => !unseen.has(name));
  const shown = [...propsIn(scenePlan, view, scene.laid, unseen), ...laid];
  return {
    surface,
    // What was photographed from above has nothing behind it.
    backdrop: isFromAbove ? "none" : backdrop,
    light: lightKind,
    ...(stand !== null && { stand }),
    ...(shown.length > 0 && { props: shown }),
    view,
    recognized: theme.recognized,
    unrecognized: theme.unrecognized,
    notShown: notShown(theme, scenePlan, view, scene.laid, unseen),
    reference,
    ...(avoided && { avoided: avoided.recognized, avoidUnrecognized: avoided.unrecognized }),
  };
}
