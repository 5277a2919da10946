/** Where `packshot sync` gets photos from, and where it brings results: the one shape of a folder, a bucket and a shop. */

export interface Catalog {
  /** The same in each run, for the journal; without secrets. */
  readonly place: string;
  /** In a stable order, without results of earlier runs. Throws a CommandError or a CatalogError when the place cannot be read. */
  photos(signal: AbortSignal): AsyncIterable<CatalogPhoto>;
}

export interface CatalogPhoto {
  /** For people. */
  readonly name: string;
  /** The same in each run. */
  readonly id: string;
  /** Another one where the photo has changed. */
  readonly version: string;
  /** The result's path below the folder of results, without an extension. */
  readonly resultName: string;
  /** For people: where its result goes. */
  readonly goesTo: string;
  readonly source: { readonly path: string } | RemotePhoto;
  /** Absent: the result belongs into the folder of results, and nowhere else. */
  deliver?(result: ResultToDeliver): Promise<Delivered>;
  /** What is there before an edit is paid; undefined: nothing of its own or of that name. Where there is no journal, it knows its own. */
  look?(marks: Marks, signal: AbortSignal): Promise<Delivered | undefined>;
}

export interface RemotePhoto {
  open(signal: AbortSignal): Promise<OpenedPhoto>;
  /** Its ETag now, without its bytes. Absent, or undefined: there is none. */
  readEtag?(signal: AbortSignal): Promise<string | undefined>;
}

export interface OpenedPhoto {
  readonly stream: ReadableStream<Uint8Array>;
  readonly etag?: string | undefined;
}

interface Marks {
  /** Follows from the photo's id. It stands beside the result, so that a later run knows its own without its journal. */
  readonly mark: string;
  /** Follows from the photo, its version and the settings, likewise: what other settings made is another edition. */
  readonly edition: string;
}

export interface ResultToDeliver extends Marks {
  readonly path: string;
  /** Its name below the folder of results: that of an earlier run, where the photo had one. */
  readonly file: string;
  readonly signal: AbortSignal;
}

/** `name` tells later runs what is ours. `occupied`: there is something else of that name, which stays. */
export type Delivered = { readonly kind: "delivered" | "occupied"; readonly name: string };

/** What a place did not do for one photo, in words that have no secrets; the next run tries again. */
export class CatalogError extends Error {
  override readonly name = "CatalogError";
}
