/**
 * Draws the pictures of README.md and docs/ from the sample photos: `node scripts/draw-pictures.ts [NAME…]`. It starts a stack of its
 * own and edits the photos over the public API, with fixed seeds, so that the pictures show what anybody gets.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import sharp, { type OverlayOptions } from "sharp";
import { environment } from "../cli/command-line/environment.ts";
import { createPublicClient, type JobView } from "../cli/demo/public-client.ts";
import { startStack } from "../cli/up/stack.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const folder = join(root, "docs/pictures");
const seed = 7;
const gap = 10;
const captionHeight = 30;
const jpeg = { quality: 80, mozjpeg: true } as const;

interface Drawn {
  readonly photo: string;
  /** Undefined: the photo as it is. */
  readonly tool?: string;
  readonly parameters?: Readonly<Record<string, unknown>>;
  readonly caption: string;
  /** Degrees by which the photo's colors are turned: the same product in another color. */
  readonly hue?: number;
}

/** Each tool before and after. */
const tools: readonly Drawn[] = [
  { photo: "mug", caption: "photo" },
  { photo: "bag", caption: "photo" },
  { photo: "bottle", caption: "photo" },
  { photo: "mug", tool: "mask", caption: "mask" },
  {
    photo: "bag",
    tool: "ai-shadows",
    parameters: { shadow: { direction: 300, softness: 0.45 } },
    caption: "ai-shadows",
  },
  {
    photo: "bottle",
    tool: "ai-bg",
    parameters: { theme: "marble bathroom, soft light" },
    caption: "ai-bg: marble bathroom",
  },
];

const scene = (photo: string, theme: string): Drawn => ({
  photo,
  tool: "ai-bg",
  parameters: { theme },
  caption: theme,
});

const eightThemes: readonly Drawn[] = [
  scene("mug", "oak table, morning light"),
  scene("box", "kitchen counter, sunny"),
  scene("bottle", "forest, moss"),
  scene("bag", "beach, golden"),
  scene("stool", "concrete, loft"),
  scene("bottle", "black marble, dramatic"),
  scene("mug", "snow, mountains"),
  scene("box", "pastel pink studio"),
];

/** In English, German, French, Spanish, Italian, Dutch and Polish. */
const themes = `
oak table, morning light
white marble kitchen, window light
luxury hotel lobby
children's playroom
pastel podium with geometric shapes
boutique, terrazzo
spa, candles, pebbles
gym, dark concrete
office desk, daylight
garage workshop, steel
cozy cafe, walnut
rooftop bar at night
botanical garden, stone
autumn leaves, forest floor
snowy mountains, wooden table
neon tokyo street
art gallery, white wall
fashion runway
gold podium, burgundy wall
rose petals, white marble
emerald velvet curtain, brass podium
beach at sunset
terracotta arch, plinth
sage studio
Küche aus Beton, Abendlicht
Eichenholztisch, dunkelgrüne Wand
Badezimmer mit Pflanzen
Weihnachten, Kerzen, Holz
table en bois, mur bleu clair
salle de bain en marbre
rideau de velours rouge, podium noir
mesa de madera, cocina rústica
playa tropical
pared de terracota, luz de tarde
tavolo di marmo, parete rosa
terrazza mediterranea, sole
betonnen plint, beige studio
houten plank, olijfgroene muur
drewniany stół w ogrodzie
zimowy las, śnieg
`
  .trim()
  .split("\n");

/** Each theme for four products, with one caption. */
const fortyThemes: readonly Drawn[] = themes.flatMap((theme) =>
  ["bottle", "mug", "box", "bag"].map((photo, at) => ({ ...scene(photo, theme), caption: at === 0 ? theme : "" })),
);

/** Five products in four colors, each as tall as it is beside the others. */
const set: readonly Drawn[] = [0, 75, 150, 235].flatMap((hue) =>
  Object.entries({ bottle: 0.56, mug: 0.34, bag: 0.64, box: 0.46, stool: 0.66 }).map(([photo, productHeight]) => ({
    photo,
    hue,
    tool: "ai-bg",
    parameters: {
      theme: "oak table, morning light",
      harmonize: 0.5,
      scene: { productHeight },
      output: { width: 800, height: 800 },
    },
    caption: "",
  })),
);

/** Each kind of shadow below three products, in one light. */
const shadowKinds: readonly Drawn[] = ["bag", "mug", "stool"].flatMap((photo) =>
  ["cast", "contact", "drop", "float", "reflection"].map((kind) => ({
    photo,
    tool: "ai-shadows",
    parameters: {
      shadow: { kind, direction: 300, softness: 0.45 },
      output: { background: "#ffffff", width: 600, height: 480, fit: "grow" },
    },
    caption: kind,
  })),
);

type Edit = (drawn: Drawn) => Promise<Buffer>;

/** Resolves with the finished image; a transparent one lies on checks. */
function editorOf(client: ReturnType<typeof createPublicClient>): Edit {
  return async ({ photo, tool, parameters, hue = 0 }) => {
    const file = readFileSync(join(root, `cli/demo/sample/${photo}.jpg`));
    const bytes = hue === 0 ? file : await sharp(file).modulate({ hue }).jpeg({ quality: 95 }).toBuffer();
    if (tool === undefined) return bytes;
    const form = new FormData();
    form.set("image", new Blob([new Uint8Array(bytes)], { type: "image/jpeg" }), `${photo}.jpg`);
    for (const [name, value] of flatten({ seed, ...parameters })) form.set(name, value);
    let job = await client.post<JobView>(`/v1/tools/${tool}/edit`, form);
    while (job.status === "queued" || job.status === "processing") {
      job = await client.get<JobView>(`/v1/jobs/${job.id}`, { Prefer: "wait=20" });
    }
    if (job.resultUrl === null) throw new Error(`${photo}, ${tool}: ${job.error?.code}`);
    return (await client.download(job.resultUrl)).bytes;
  };
}

/** As form fields: `shadow.direction`. */
function flatten(fields: Readonly<Record<string, unknown>>, prefix = ""): [string, string][] {
  return Object.entries(fields).flatMap(([name, value]) =>
    typeof value === "object"
      ? flatten(value as Record<string, unknown>, `${prefix}${name}.`)
      : [[prefix + name, String(value)]],
  );
}

function checks(width: number, height: number): Buffer {
  const pattern = `<pattern id="p" width="20" height="20" patternUnits="userSpaceOnUse"><rect width="20" height="20" fill="#fff"/><path d="M0 0h10v10H0zM10 10h10v10H10z" fill="#e3e6ea"/></pattern>`;
  return Buffer.from(
    `<svg width="${width}" height="${height}">${pattern}<rect width="100%" height="100%" fill="url(#p)"/></svg>`,
  );
}

function caption(text: string, width: number): Buffer {
  const escaped = text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  return Buffer.from(
    `<svg width="${width}" height="${captionHeight}"><text x="${width / 2}" y="20" text-anchor="middle" font-family="DejaVu Sans, sans-serif" font-size="14" fill="#30343b">${escaped}</text></svg>`,
  );
}

interface Sheet {
  readonly drawn: readonly Drawn[];
  readonly columns: number;
  /** Pixels of each picture. */
  readonly width: number;
  /** Absent: 4 : 3. */
  readonly aspect?: number;
  /** Pictures that share a caption; absent: each has its own. */
  readonly captionColumns?: number;
}

const sheets: Readonly<Record<string, Sheet>> = {
  tools: { drawn: tools, columns: 3, width: 400 },
  "eight-themes": { drawn: eightThemes, columns: 4, width: 300 },
  themes: { drawn: fortyThemes, columns: 8, width: 140, captionColumns: 4 },
  set: { drawn: set, columns: 5, width: 220, aspect: 1 },
  "shadow-kinds": { drawn: shadowKinds, columns: 5, width: 220, aspect: 5 / 4 },
};

/** Pictures in columns, each with its caption below it. */
async function drawSheet(name: string, sheet: Sheet, edit: Edit): Promise<void> {
  const { drawn, columns, width, aspect = 4 / 3, captionColumns = 1 } = sheet;
  const height = Math.round(width / aspect);
  const below = drawn.some(({ caption: text }) => text !== "") ? captionHeight : gap;
  const rows = Math.ceil(drawn.length / columns);
  const layers: OverlayOptions[] = [];
  for (const [index, one] of drawn.entries()) {
    const left = gap + (index % columns) * (width + gap);
    const top = gap + Math.floor(index / columns) * (height + below);
    const picture = await sharp(await edit(one))
      .resize(width, height, { fit: "cover" })
      .png()
      .toBuffer();
    const onChecks = sharp(checks(width, height)).composite([{ input: picture }]);
    layers.push({ input: await onChecks.png().toBuffer(), left, top });
    if (one.caption !== "") {
      const wide = captionColumns * (width + gap) - gap;
      layers.push({ input: caption(one.caption, wide), left, top: top + height });
    }
    process.stdout.write(`${name}: ${one.photo}, ${one.caption}\n`);
  }
  const size = { width: gap + columns * (width + gap), height: gap + rows * (height + below) };
  const file = join(folder, `${name}.jpg`);
  const { size: bytes } = await sharp({ create: { ...size, channels: 3, background: "#ffffff" } })
    .composite(layers)
    .jpeg(jpeg)
    .toFile(file);
  process.stdout.write(`${file}: ${Math.round(bytes / 1000)} KB\n`);
}

const names = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(sheets);
const dataDir = mkdtempSync(join(tmpdir(), "packshot-pictures-"));
const stack = await startStack({
  dataDir,
  port: 0,
  workers: 1,
  allowSources: [],
  environment,
  say: () => {},
  signal: new AbortController().signal,
});
try {
  mkdirSync(folder, { recursive: true });
  const edit = editorOf(createPublicClient({ apiUrl: stack.file.apiUrl, apiKey: stack.file.apiKey }));
  for (const name of names) await drawSheet(name, sheets[name]!, edit);
} finally {
  await stack.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
