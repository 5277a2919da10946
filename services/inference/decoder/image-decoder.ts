/** Decodes files that clients send. In a worker a process in a cage does it; elsewhere, the thread that asks. */

import { openLogo, openPicture } from "../imaging/codec/background-picture.ts";
import { decodePhoto } from "../imaging/codec/decode.ts";
import { readMetadataBlocks } from "../imaging/codec/source-metadata.ts";

/** Its functions are those of the codecs, and throw what those throw. */
export interface ImageDecoder {
  readonly decodePhoto: typeof decodePhoto;
  readonly openPicture: typeof openPicture;
  readonly openLogo: typeof openLogo;
  readonly readMetadataBlocks: typeof readMetadataBlocks;
}

const decodeHere: ImageDecoder = { decodePhoto, openPicture, openLogo, readMetadataBlocks };

export function decoderOf({ decoder = decodeHere }: { readonly decoder?: ImageDecoder | undefined }): ImageDecoder {
  return decoder;
}
