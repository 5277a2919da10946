import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  root: here("."),
  // The SDK as it is written: it is built only for those who install it. The domain has the labels of stages.
  resolve: {
    alias: [
      { find: /^@packshot\/domain\//, replacement: here("../packages/domain/") },
      { find: /^@packshot\/sdk$/, replacement: here("../packages/sdk/packshot.ts") },
      { find: /^@packshot\/sdk\//, replacement: here("../packages/sdk/") },
    ],
  },
  build: {
    outDir: here("dist"),
    emptyOutDir: true,
    // A path of its own, so that no other one of the server is taken.
    assetsDir: "console",
    // Browsers that have light-dark(), which the theme is written in.
    target: ["chrome123", "firefox120", "safari17.5"],
    // A data: address would need an exception from the Content-Security-Policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rollupOptions: {
      input: [here("index.html"), here("operator.html")],
      // "use client" is for servers that render; nothing is lost with it here.
      onwarn: (warning, warn) => warning.code !== "MODULE_LEVEL_DIRECTIVE" && warn(warning),
    },
  },
});
