/** Named themes, and their pictures: files beside this one, drawn by `scripts/draw-themes.ts`. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { namedThemes } from "@packshot/domain/edits/themes.ts";
import { PackshotError } from "@packshot/domain/errors.ts";
import fresh from "fresh";
import type { Core, Feature } from "../../core/core.ts";
import type { Mount } from "../../http/http-server.ts";

const mountPath = "/themes";
/** The name of a picture has a hash of its content, so the file of a name never changes. */
const cacheControl = "public, max-age=31536000, immutable";
export const picturesFolder = join(import.meta.dirname, "pictures");

interface Picture {
  readonly bytes: Buffer;
  readonly entityTag: string;
  /** `/oak-morning-4fA0….webp` */
  readonly path: string;
}

function readPicture(id: string): Picture {
  const bytes = readFileSync(join(picturesFolder, `${id}.webp`));
  const hash = createHash("sha256").update(bytes).digest("base64url").slice(0, 12);
  return { bytes, entityTag: `"${hash}"`, path: `/${id}-${hash}.webp` };
}

export function createThemes({ publicUrl }: Pick<Core, "publicUrl">): Feature {
  const pictures = new Map(namedThemes.map(({ id }) => [id, readPicture(id)]));
  const byPath = new Map([...pictures.values()].map((picture) => [picture.path, picture]));
  const root = `${publicUrl.replace(/\/$/, "")}${mountPath}`;
  const data = namedThemes.map((theme) => ({ ...theme, thumbnailUrl: `${root}${pictures.get(theme.id)!.path}` }));

  const sendPicture: Mount = async ({ method = "GET", headers, url = "/" }, response) => {
    if (method !== "GET" && method !== "HEAD") {
      response.setHeader("Allow", "GET, HEAD");
      throw new PackshotError("method_not_allowed", `${method} is not allowed on this path; allowed are GET, HEAD.`);
    }
    const picture = byPath.get(url.split("?", 1)[0]!);
    if (picture === undefined) throw new PackshotError("not_found", "File not found.");
    response.setHeader("Cache-Control", cacheControl);
    response.setHeader("ETag", picture.entityTag);
    // Pictures are the same for everybody: web pages of other origins may show them.
    response.setHeader("Cross-Origin-Resource-Policy", "cross-origin");
    if (fresh({ "if-none-match": headers["if-none-match"] }, { etag: picture.entityTag })) {
      response.writeHead(304).end();
      return "sent";
    }
    response.writeHead(200, { "Content-Type": "image/webp", "Content-Length": picture.bytes.length });
    response.end(method === "HEAD" ? undefined : picture.bytes);
    return "sent";
  };

  return {
    handlers: { listThemes: async () => ({ status: 200, body: { data } }) },
    mounts: { [mountPath]: sendPicture },
  };
}
