/** Pictures that come with an edit beside its photo. */
import { PackshotError } from "../errors.ts";

/** Behind the product; the caller's own matte; over a corner; from which a scene takes its colors and its light; whose light a photo gets. */
export const pictureParts = ["background", "mask", "logo", "palette", "tone"] as const;
export type PicturePart = (typeof pictureParts)[number];

/** One value for each picture that there is. */
export type Pictures<T> = Readonly<Partial<Record<PicturePart, T>>>;

/** The pictures that a form may have as files, by the name of the parameter in whose place they come. */
export const pictureFileFields = { mask: "maskImage", palette: "paletteImage", tone: "toneImage" } as const;
export type PictureFileField = (typeof pictureFileFields)[keyof typeof pictureFileFields];

/** One value for each picture that may be a form's file and for which `read` has one. */
export function mapPictureFiles<T>(
  read: (part: keyof typeof pictureFileFields, field: PictureFileField) => T | undefined,
): Pictures<T> {
  const parts = Object.keys(pictureFileFields) as (keyof typeof pictureFileFields)[];
  return picturesOf(Object.fromEntries(parts.map((part) => [part, read(part, pictureFileFields[part])])));
}

const pictureNames: Readonly<Record<PicturePart, string>> = {
  background: "background picture",
  mask: "mask",
  logo: "logo",
  palette: "palette picture",
  tone: "tone picture",
};

export const pictureCodes = {
  background: "background_unusable",
  mask: "mask_unusable",
  logo: "logo_unusable",
  palette: "palette_unusable",
  tone: "tone_unusable",
} as const satisfies Record<PicturePart, string>;

/** What is wrong with a picture, so that the client looks for it there and not in the photo. */
export function pictureProblem(part: PicturePart, problem: string, cause?: unknown): PackshotError {
  return new PackshotError(pictureCodes[part], `The ${pictureNames[part]} cannot be used: ${problem}`, { cause });
}

/** The pictures among the fields of an edit or a job, without those that are undefined. */
export function picturesOf<T>(fields: Pictures<T | undefined>): Pictures<T> {
  return mapPictures(fields as Pictures<T>, (picture) => picture);
}

export function mapPictures<T, R>(pictures: Pictures<T>, map: (picture: T, part: PicturePart) => R): Pictures<R> {
  const mapped: Partial<Record<PicturePart, R>> = {};
  for (const part of pictureParts) {
    const picture = pictures[part];
    if (picture !== undefined) mapped[part] = map(picture, part);
  }
  return mapped;
}

/** One after the other. */
export async function mapPicturesAsync<T, R>(
  pictures: Pictures<T>,
  map: (picture: T, part: PicturePart) => Promise<R>,
): Promise<Pictures<R>> {
  const mapped: Partial<Record<PicturePart, R>> = {};
  for (const part of pictureParts) {
    const picture = pictures[part];
    if (picture !== undefined) mapped[part] = await map(picture, part);
  }
  return mapped;
}
