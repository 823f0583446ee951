// What the page takes over from the Python package: the types of the API, the colours and the patterns of the map.
// `generate.mjs colours` leaves the types out: a build needs none, so it needs no server installed.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import openapiTS, { astToString } from "openapi-typescript";

const web = resolve(dirname(fileURLToPath(import.meta.url)), "..");
const python = [
  process.env.SANDTABLE_PYTHON,
  resolve(web, "../.venv/bin/python"),
  resolve(web, "../.venv/Scripts/python.exe"),
].find((path) => path && existsSync(path)) ?? "python3";

function run(...args) {
  const done = spawnSync(python, args, { cwd: resolve(web, ".."), encoding: "utf-8", maxBuffer: 64_000_000 });
  if (done.status !== 0) {
    console.error(`${python} ${args.slice(0, 2).join(" ")} failed:\n${done.stderr || done.error}`);
    console.error("The package with its server extra has to be installed; SANDTABLE_PYTHON may name another Python.");
    process.exit(1);
  }
  return done.stdout;
}

if (process.argv[2] !== "colours") {
  const schema = JSON.parse(run("-m", "sandtable.server.schema"));
  const head = "// Generated from the server's OpenAPI schema by scripts/generate.mjs. Do not edit.\n";
  writeFileSync(resolve(web, "src/api/schema.d.ts"), head + astToString(await openapiTS(schema)));
}

const palettes = run(
  "-c",
  "import msgspec; from sandtable.maps.palette import PALETTES; print(msgspec.json.encode(PALETTES).decode())",
);
mkdirSync(resolve(web, "src/generated"), { recursive: true });
writeFileSync(resolve(web, "src/generated/palettes.json"), palettes);

const patterns = run("-c", "import json; from sandtable.maps.terrain import PATTERNS; print(json.dumps(PATTERNS))");
writeFileSync(resolve(web, "src/generated/patterns.json"), patterns);
