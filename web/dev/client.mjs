// Makes src/client/schema.ts from the service's own description of itself: npm run client
import { execFileSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import openapiTS, { astToString } from "openapi-typescript";

const root = fileURLToPath(new URL("../../", import.meta.url));
const own = `${root}.venv/bin/python`;
const python = process.env.FELT_PYTHON ?? (existsSync(own) ? own : "python3");
const env = { ...process.env, PYTHONPATH: `${root}src` };
const told = JSON.parse(
  execFileSync(python, ["-m", "felt.server.web.openapi"], { cwd: root, env, encoding: "utf8", maxBuffer: 2 ** 26 }),
);
const types = astToString(await openapiTS(told, { defaultNonNullable: false }));
const head = `// Made by \`npm run client\` from the service's description ${told.info["x-fingerprint"]}. Do not edit.\n`;
writeFileSync(new URL("../src/client/schema.ts", import.meta.url), head + types);
console.log(`src/client/schema.ts: ${Object.keys(told.paths).length} paths`);
