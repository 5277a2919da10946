/** The API holds keys, so it opens no image itself: it asks processes that hold none and end with it. */
import { existsSync, readFileSync } from "node:fs";
import sharp from "sharp";
import { expect, test } from "vitest";
import { openAccount } from "../../../../testing/api/accounts.ts";
import { type ApiProcess, linkKeyHex, masterKeyHex, startApis } from "../../../../testing/api/api-processes.ts";
import { formWith } from "../../../../testing/stack/live-stack.ts";
import { suiteFixture } from "../../../../testing/suite-fixture.ts";

const apis = suiteFixture(() => startApis());
const onLinux = existsSync("/proc/self/environ");

function childrenOf(pid: number): string[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ").filter(Boolean);
}

async function edit(api: ApiProcess, key: string, image: Uint8Array): Promise<number> {
  const { status } = await fetch(`${api.url}/v1/tools/mask/edit`, {
    method: "POST",
    headers: { Authorization: `Bearer ${key}` },
    body: formWith(image),
  });
  return status;
}

test.runIf(onLinux)("libvips is loaded by the API's children only, and they have none of its settings", async () => {
  const api = apis.all[0]!;
  const { key } = await openAccount(api);
  const photo = await sharp({ create: { width: 64, height: 48, channels: 3, background: "#c33" } })
    .png()
    .toBuffer();
  expect([await edit(api, key, photo), await edit(api, key, photo.subarray(0, 20))]).toEqual([202, 422]);

  const libraries = (pid: number | string) => readFileSync(`/proc/${pid}/maps`, "utf8");
  expect(libraries(api.pid)).not.toMatch(/vips/);
  const children = childrenOf(api.pid);
  expect(children).toHaveLength(2);
  for (const pid of children) {
    expect(libraries(pid)).toMatch(/vips/);
    const environment = readFileSync(`/proc/${pid}/environ`, "utf8");
    expect(environment).not.toMatch(/PACKSHOT_/);
    for (const secret of [masterKeyHex, linkKeyHex]) expect(environment).not.toContain(secret);
  }
});

test.runIf(onLinux)("the children end when the API is killed", async () => {
  const api = await apis.start();
  const children = childrenOf(api.pid);
  // The process alone, not its group.
  process.kill(api.pid, "SIGKILL");
  await api.ended;
  await expect.poll(() => children.filter((pid) => existsSync(`/proc/${pid}/environ`))).toEqual([]);
});
