/**
 * Whether HEIC can be decoded here. Its decoder is an optional package (docs/adr/0024-heic.md): where it is missing, HEIC is
 * refused as what is not supported. This module loads nothing, so that any process may ask.
 */
import { createRequire } from "node:module";

let isInstalled: boolean | undefined;

export function isHeicInstalled(): boolean {
  isInstalled ??= canResolve("libheif-js/package.json");
  return isInstalled;
}

function canResolve(specifier: string): boolean {
  try {
    createRequire(import.meta.url).resolve(specifier);
    return true;
  } catch {
    return false;
  }
}
