import { PackshotError } from "@packshot/domain/errors.ts";
import { readImageUrl } from "@packshot/domain/image-url.ts";
import type { EditParameters } from "@packshot/domain/tools.ts";
import type { EditSource } from "./store-source.ts";

const field = "parameters.backgroundImage";

interface PicturedEdit {
  readonly background?: EditSource;
  readonly parameters: EditParameters;
}

/** The picture behind the product, given beside the parameters or named in them. Throws `invalid_request`. */
export function backgroundSource({ background, parameters }: PicturedEdit): EditSource | undefined {
  const { backgroundImage } = parameters;
  if (background !== undefined || backgroundImage === undefined) return background;
  const { imageUrl, uploadSessionId } = backgroundImage;
  if ((imageUrl === undefined) === (uploadSessionId === undefined)) {
    throw invalid(field, `"${field}" needs one of imageUrl and uploadSessionId.`);
  }
  if (imageUrl === undefined) return { kind: "upload", uploadId: uploadSessionId! };
  return { kind: "url", imageUrl: readImageUrl(imageUrl, `${field}.imageUrl`) };
}

function invalid(name: string, message: string): PackshotError {
  return new PackshotError("invalid_request", message, { details: { field: name } });
}
