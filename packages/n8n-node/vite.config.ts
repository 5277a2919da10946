/** One CommonJS file for the node and one for its credentials, with the SDK inside: n8n wants nodes without packages of their own. */
import { defineConfig } from "vite";

export default defineConfig({
  build: {
    ssr: true,
    outDir: "dist",
    target: "node20",
    minify: false,
    license: { fileName: "licenses.md" },
    rollupOptions: {
      input: { "Packshot.node": "packshot-node-main.ts", "PackshotApi.credentials": "credentials-main.ts" },
      output: { format: "cjs", entryFileNames: "[name].js" },
    },
  },
  ssr: { noExternal: true },
  plugins: [
    {
      name: "commonjs",
      generateBundle() {
        this.emitFile({ type: "asset", fileName: "package.json", source: '{ "type": "commonjs" }\n' });
      },
    },
  ],
  logLevel: "warn",
});
