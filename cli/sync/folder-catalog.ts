import { resolve } from "node:path";
import { photosOfFolder } from "../edit/find-photos.ts";
import type { Catalog } from "./catalog.ts";

/** @param out the folder of results, in which no photos are looked for */
export function createFolderCatalog(
  name: string,
  { cwd, out }: { readonly cwd: string; readonly out: string },
): Catalog {
  const folder = resolve(cwd, name);
  return {
    place: `folder ${folder}`,
    async *photos() {
      for (const photo of await photosOfFolder(name, { cwd, except: out })) {
        if (photo.kind !== "file") continue;
        const { path, bytes, modifiedMs, resultName } = photo;
        const version = `${bytes} ${Math.floor(modifiedMs)}`;
        yield { name: photo.name, id: path, version, resultName, goesTo: `${out}/${resultName}`, source: { path } };
      }
    },
  };
}
