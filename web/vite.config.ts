import { svelte } from "@sveltejs/vite-plugin-svelte";
import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

/** The service worker, told which files make up this build. */
function serviceWorker(): Plugin {
  return {
    name: "felt-service-worker",
    apply: "build",
    generateBundle(_options, bundle) {
      const files = Object.keys(bundle)
        .filter((name) => name.startsWith("assets/"))
        .sort();
      const version = createHash("sha256").update(files.join()).digest("hex").slice(0, 12);
      const source = readFileSync(new URL("./src/sw.js", import.meta.url), "utf8")
        .replace('"%VERSION%"', JSON.stringify(version))
        .replace('"%FILES%"', files.map((name) => JSON.stringify(name)).join(", "));
      this.emitFile({ type: "asset", fileName: "sw.js", source });
    },
  };
}

export default defineConfig({
  base: "./",
  plugins: [svelte(), serviceWorker()],
  build: {
    outDir: "../src/felt/server/web/static",
    emptyOutDir: true,
    target: "es2022",
    modulePreload: { polyfill: false },
  },
  server: { proxy: { "/api": { target: process.env.FELT_API ?? "http://127.0.0.1:8766", ws: true } } },
  test: { include: ["tests/**/*.test.ts"] },
});
