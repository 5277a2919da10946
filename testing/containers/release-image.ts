/** The image of the last release, which an update in a test begins with. */
import { checkOutRelease, lastRelease } from "../releases/earlier-release.ts";
import { buildImage } from "./build-image.ts";
import type { Engine } from "./engine.ts";

export interface ReleaseImage {
  readonly image: string;
  /** The source tree of the release, with its chart. */
  readonly checkout: string;
}

/** Built by its own Dockerfile from its own tree. */
export async function buildReleaseImage(engine: Engine): Promise<ReleaseImage> {
  const checkout = await checkOutRelease(lastRelease);
  // A chart accepts only tags with a digit.
  const tag = `localhost/packshot-test:${lastRelease.tag}`;
  const { tag: image } = await buildImage(engine, { tag, context: checkout, revision: lastRelease.commit });
  return { image, checkout };
}
