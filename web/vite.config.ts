import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { extname, resolve } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
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

const PACKED = new Set([".js", ".css", ".html", ".svg", ".ttf", ".json"]);

/** Everything once more as small as it goes, so that the server packs nothing while somebody waits. */
function packed(): Plugin {
  let out = OUT;
  return {
    name: "packed-output",
    apply: "build",
    configResolved(config) {
      out = resolve(config.root, config.build.outDir);
    },
    closeBundle() {
      for (const name of readdirSync(out, { recursive: true, encoding: "utf-8" })) {
        if (!PACKED.has(extname(name))) continue;
        const file = resolve(out, name);
        const plain = readFileSync(file);
        const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: plain.length } };
        for (const [ending, small] of [["br", brotliCompressSync(plain, brotli)], ["gz", gzipSync(plain, { level: 9 })]] as const) {
          if (small.length < plain.length) writeFileSync(`${file}.${ending}`, small);
        }
      }
    },
  };
}

export default defineConfig({
  plugins: [svelte({ preprocess: vitePreprocess() }), ignored(), packed()],
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
