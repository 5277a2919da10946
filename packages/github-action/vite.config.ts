/** Bundles the action and the SDK into one file: GitHub runs it as it is in the repository, and installs no packages. */
import { defineConfig } from "vite";

export default defineConfig({
  build: {
    ssr: "action-main.ts",
    outDir: "dist",
    target: "node24",
    minify: false,
    license: { fileName: "licenses.md" },
    rollupOptions: { output: { entryFileNames: "action.js", codeSplitting: false } },
  },
  ssr: { noExternal: true },
  logLevel: "warn",
});
