import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { basename, resolve } from "node:path";
import type { ImageHeader } from "@packshot/platform/images/image-header.ts";
import { inspectImage } from "@packshot/platform/images/inspect-image.ts";
import { CommandError } from "../command-line/command.ts";

export interface Photo {
  readonly name: string;
  readonly path: string;
  readonly bytes: Buffer;
  readonly contentType: string;
  readonly header: ImageHeader;
}

const pixelsMax = 100_000_000;

/** Checks the file before anything starts: a mistyped path should not cost a start of the stack. */
export async function readPhoto(path: string): Promise<Photo> {
  const full = resolve(path);
  let bytes: Buffer;
  try {
    bytes = readFileSync(full);
  } catch (error) {
    throw new CommandError(`the photo ${full} cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  }
  const header = await inspectImage(bytes, { maxPixels: pixelsMax }).catch((error: Error) => {
    throw new CommandError(`the photo ${full} cannot be edited: ${error.message}`);
  });
  return { name: basename(full), path: full, bytes, contentType: header.contentType, header };
}

export interface PhotoServer {
  /** Address of the photo, as on a shop's web server. */
  readonly url: string;
  readonly hostAndPort: string;
  close(): void;
}

/** Serves this one photo on loopback, for the edit by `imageUrl`. */
export async function startPhotoServer({ bytes, contentType }: Photo): Promise<PhotoServer> {
  const server = createServer((request, response) => {
    if (request.url !== "/photo") response.writeHead(404).end();
    else response.writeHead(200, { "Content-Type": contentType, "Content-Length": bytes.length }).end(bytes);
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  const hostAndPort = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: `http://${hostAndPort}/photo`,
    hostAndPort,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
