/** The image of the last release, which an update in a test begins with. */
import { checkOutRelease, lastRelease } from "../releases/earlier-release.ts";
import { buildImage } from "./build-image.ts";
import type { Engine } from "./engine.ts";
import { imageExists } from "./stand-in-images.ts";

export interface ReleaseImage {
  readonly image: string;
  /** The source tree of the release, with its chart. */
  readonly checkout: string;
}

/** Built once, by its own Dockerfile from its own tree. */
export async function buildReleaseImage(engine: Engine): Promise<ReleaseImage> {
  const checkout = await checkOutRelease(lastRelease);
  // A chart accepts only tags with a digit.
  const image = `localhost/packshot-test:${lastRelease.tag}-${lastRelease.commit.slice(0, 12)}`;
  if (!(await imageExists(engine, image)))
    await buildImage(engine, { tag: image, context: checkout, revision: lastRelease.commit });
  return { image, checkout };
}
