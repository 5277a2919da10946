/** What `packshot sync` may be told to sync, as its arguments name it. */
import { relative, resolve } from "node:path";
import { namesOfResults } from "@packshot/domain/edits/result-names.ts";
import { CommandError, calledFrom } from "../command-line/command.ts";
import { photosOfFolder } from "../edit/find-photos.ts";
import type { Catalog } from "./catalog.ts";
import { createS3Catalog } from "./s3-catalog.ts";
import { createShopifyCatalog } from "./shopify-catalog.ts";
import { createWooCommerceCatalog } from "./woocommerce-catalog.ts";

export interface SyncPlace {
  readonly catalog: Catalog;
  /** The folder of results and journals. */
  readonly state: string;
}

interface PlaceFlags {
  readonly state?: string | undefined;
  readonly endpoint?: string | undefined;
}

const places: Readonly<Record<string, (names: readonly string[], flags: PlaceFlags) => SyncPlace>> = {
  folder(names, { state }) {
    const [photos, results] = twoNames("folder PHOTOS RESULTS", names);
    if (state !== undefined) throw new CommandError("sync folder keeps its journal in the folder of results.");
    const cwd = calledFrom();
    const out = resolve(cwd, results);
    if (out === resolve(cwd, photos)) throw new CommandError("results would stand among the photos: name two folders.");
    return { catalog: createFolderCatalog(photos, { cwd, out }), state: out };
  },
  s3(names, flags) {
    const [from, to] = twoNames("s3 s3://BUCKET/PHOTOS s3://BUCKET/RESULTS", names);
    return { catalog: createS3Catalog(from, to, flags.endpoint), state: stateOfFlags(flags) };
  },
  shopify(names, flags) {
    const shop = oneName("shopify SHOP.myshopify.com", names);
    return { catalog: createShopifyCatalog(shop), state: stateOfFlags(flags) };
  },
  woocommerce(names, flags) {
    const shop = oneName("woocommerce SHOP.example", names);
    return { catalog: createWooCommerceCatalog(shop), state: stateOfFlags(flags) };
  },
};

/** @param given the kind, and what it needs. Throws a CommandError. */
export function chooseSyncPlace([kind, ...names]: readonly string[], flags: PlaceFlags): SyncPlace {
  const choose = kind !== undefined && Object.hasOwn(places, kind) ? places[kind] : undefined;
  if (choose === undefined)
    throw new CommandError(`sync needs what to sync: ${Object.keys(places).join(" or ")}; --help says more.`);
  return choose(names, flags);
}

function oneName(usage: string, names: readonly string[]): string {
  const [name, ...more] = names;
  if (name !== undefined && more.length === 0) return name;
  throw new CommandError(`sync needs a shop: "packshot sync ${usage}".`);
}

function twoNames(usage: string, names: readonly string[]): readonly [string, string] {
  const [first, second, ...more] = names;
  if (first !== undefined && second !== undefined && more.length === 0) return [first, second];
  throw new CommandError(`sync needs two places: "packshot sync ${usage}".`);
}

function stateOfFlags({ state = "packshot-sync" }: PlaceFlags): string {
  return resolve(calledFrom(), state);
}

/** @param out the folder of results, in which no photos are looked for */
function createFolderCatalog(name: string, { cwd, out }: { readonly cwd: string; readonly out: string }): Catalog {
  const folder = resolve(cwd, name);
  return {
    place: `folder ${folder}`,
    async *photos() {
      const photos = await photosOfFolder(name, { cwd, except: out });
      const names = namesOfResults(photos.map((photo) => ({ below: relative(name, photo.name) })));
      for (const [index, photo] of photos.entries()) {
        const { path, bytes, modifiedMs } = photo;
        const resultName = names[index]!;
        const version = `${bytes} ${Math.floor(modifiedMs)}`;
        yield { name: photo.name, id: path, version, resultName, goesTo: `${out}/${resultName}`, source: { path } };
      }
    },
  };
}
