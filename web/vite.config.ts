import { mkdirSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { svelte, vitePreprocess } from "@sveltejs/vite-plugin-svelte";
import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";

const OUT = resolve(import.meta.dirname, "../src/sandtable/server/static");
const SERVER = process.env.SANDTABLE_SERVER ?? "http://127.0.0.1:8765";

/** The built page is no source: the folder it is written to ignores itself. */
function ignored(): Plugin {
  return {
    name: "ignored-output",
    apply: "build",
    closeBundle() {
      mkdirSync(OUT, { recursive: true });
      writeFileSync(resolve(OUT, ".gitignore"), "*\n");
    },
  };
}

export default defineConfig({
  plugins: [svelte({ preprocess: vitePreprocess() }), ignored()],
  resolve: process.env.VITEST ? { conditions: ["browser"] } : {},
  build: {
    outDir: OUT,
    emptyOutDir: true,
    target: "es2022",
    assetsInlineLimit: 0, // the server's content security policy allows no fonts in data: addresses
    chunkSizeWarningLimit: 600,
  },
  server: {
    fs: { allow: [resolve(import.meta.dirname, "..")] },
    proxy: { "/api": { target: SERVER, ws: true, changeOrigin: true, headers: { origin: SERVER } } },
  },
  test: {
    environment: "happy-dom",
    include: ["tests/**/*.test.ts"],
    setupFiles: ["tests/setup.ts"],
    maxWorkers: 1,
  },
});
