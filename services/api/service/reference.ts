/**
 * The API reference at `/docs`: Scalar renders `openapi.json` in the browser and sends requests to this very API. Nothing
 * comes from another origin, and the page's Content-Security-Policy sees to that.
 */

import { once } from "node:events";
import { promisify } from "node:util";
import { Worker } from "node:worker_threads";
import { gunzip } from "node:zlib";
import { PackshotError } from "@packshot/domain/errors.ts";
import accepts from "accepts";
import type { ApiResponse } from "../http/call.ts";
import type { Mount } from "../http/http-server.ts";

const decompress = promisify(gunzip);
const assetsPath = "/docs/assets";
const setUpName = "reference.js";

/** Scalar writes style elements and attributes, hence inline styles. Scripts are those of this origin alone. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "media-src blob:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** Fonts are the system's. Scalar's own services stay off: fonts, proxy, telemetry, the agent, MCP and its client. */
const configuration = {
  url: "/openapi.json",
  proxyUrl: "",
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  hideClientButton: true,
  showDeveloperTools: "never",
  persistAuth: false,
  authentication: { preferredSecurityScheme: "apiKey" },
  defaultHttpClient: { targetKey: "shell", clientKey: "curl" },
  metaData: { title: "Packshot API" },
  customCss: ":root{--scalar-font:system-ui,sans-serif;--scalar-font-code:ui-monospace,monospace}",
};

/** It runs before Scalar's script: that one would otherwise try out whether it may compile code, which the policy forbids. */
const setUp = `globalThis.__zod_globalConfig = { jitless: true };
addEventListener("DOMContentLoaded", () => {
  Scalar.createApiReference("#reference", ${JSON.stringify(configuration)});
});
`;

export interface Reference {
  page(): Promise<ApiResponse>;
  /** For the page's scripts. */
  readonly mounts: Readonly<Record<string, Mount>>;
}

export function createReference(): Reference {
  const load = createBundleLoader();
  const bundleName = (hash: string) => `scalar-${hash}.js`;

  async function readScript(name: string, encoding: string): Promise<Script> {
    if (name === setUpName) return { bytes: Buffer.from(setUp), headers: {} };
    const { hash, gzipped } = await load();
    if (name !== bundleName(hash)) throw new PackshotError("not_found", "Path not found.");
    // Its name changes with its content.
    const headers = { "Cache-Control": "public, max-age=31536000, immutable", Vary: "Accept-Encoding" };
    if (encoding !== "gzip") return { bytes: await decompress(gzipped), headers };
    return { bytes: gzipped, headers: { ...headers, "Content-Encoding": "gzip" } };
  }

  return {
    async page() {
      const { hash } = await load();
      const headers = { "Content-Type": "text/html; charset=utf-8", "Content-Security-Policy": policy };
      return { status: 200, body: page(bundleName(hash)), headers };
    },
    mounts: {
      async [assetsPath](request, response) {
        if (request.method !== "GET" && request.method !== "HEAD") {
          response.setHeader("Allow", "GET, HEAD");
          throw new PackshotError("method_not_allowed", "Send GET.");
        }
        const name = (request.url ?? "").replace(/^\//, "").replace(/\?.*$/, "");
        const { bytes, headers } = await readScript(name, String(accepts(request).encoding(["gzip", "identity"])));
        response.setHeader("Cache-Control", "no-cache");
        for (const [header, value] of Object.entries(headers)) response.setHeader(header, value);
        response.setHeader("Content-Type", "text/javascript; charset=utf-8");
        response.setHeader("Content-Length", String(bytes.length));
        response.end(request.method === "HEAD" ? undefined : bytes);
        return "sent";
      },
    },
  };
}

interface Script {
  readonly bytes: Uint8Array;
  readonly headers: Readonly<Record<string, string>>;
}

function page(bundle: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Packshot API</title>
<link rel="icon" href="data:,">
</head>
<body>
<div id="reference"></div>
<noscript>This page needs JavaScript; <a href="/openapi.json">openapi.json</a> has the same content.</noscript>
<script src="${assetsPath}/${setUpName}"></script>
<script src="${assetsPath}/${bundle}"></script>
</body>
</html>
`;
}

/** Scalar's script, which renders the API reference. It is loaded when the page is first asked for. */
export interface ReferenceBundle {
  /** The hash of the script's content. */
  readonly hash: string;
  readonly gzipped: Uint8Array;
}

/** Returns a function that loads the script once; a load that failed is tried again by the next call. */
function createBundleLoader(): () => Promise<ReferenceBundle> {
  let loading: Promise<ReferenceBundle> | undefined;
  return () => {
    loading ??= loadBundle().catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
    return loading;
  };
}

async function loadBundle(): Promise<ReferenceBundle> {
  const thread = new Worker(new URL("./bundle-thread.ts", import.meta.url));
  try {
    const [bundle] = (await once(thread, "message")) as [ReferenceBundle];
    return bundle;
  } finally {
    await thread.terminate();
  }
}
