/** Where no stack runs, `packshot edit` starts one for the run. */

import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runCli } from "../../testing/cli/run-cli.ts";
import { drawnMug } from "../../testing/images/drawn-mug.ts";
import { findNatsServer } from "../up/nats-server.ts";

let cwd: string;
beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), "packshot-own-"));
});
afterAll(async () => await rm(cwd, { recursive: true, force: true }));

test("a stack is started for the run and stopped after it, and its data is that of the next one", async () => {
  await writeFile(join(cwd, "mug.jpg"), await drawnMug("#204060"));
  const server = createServer(async (_request, response) => void response.end(await drawnMug("#602040")));
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/pot.jpg`;
  const environment = { PACKSHOT_NATS_SERVER: findNatsServer(process.env) };
  const args = ["edit", "mug.jpg", address, "--data-dir", join(cwd, "data"), "--set", "output.width=64"];

  const first = await runCli(args, { cwd, environment });
  expect(first, first.stderr).toMatchObject({ status: 0, stdout: expect.stringContaining("2 edited") });
  expect(first.stderr).toMatch(/no stack runs in .*data: starting one for this run/);
  expect(first.stderr).toContain("stopping the stack");
  for (const name of ["mug", "pot"]) expect((await sharp(join(cwd, `edited/${name}.png`)).metadata()).width).toBe(64);
  expect(existsSync(join(cwd, "data/stack.json"))).toBe(false);
  expect(existsSync(join(cwd, "data/secrets.json"))).toBe(true);
  server.close();

  const status = await runCli(["status", "--data-dir", join(cwd, "data")], { cwd });
  expect(status).toMatchObject({
    status: 1,
    stderr: expect.stringMatching(/no stack runs in .*packshot up --data-dir/),
  });
});
