import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { filesBelow } from "./files-below.ts";

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "packshot-files-below-"));
});
afterEach(async () => await rm(root, { recursive: true, force: true }));

test("every file that stays is listed while folders beside it come and go", async () => {
  await mkdir(join(root, "stays/deep"), { recursive: true });
  const staying = [join(root, "stays/deep/file"), join(root, "stays/file"), join(root, "file")];
  for (const path of staying) await writeFile(path, "");
  let isOver = false;
  async function comeAndGo(): Promise<void> {
    for (let round = 0; !isOver; round += 1) {
      const brief = join(root, `brief-${round % 7}`);
      await mkdir(join(brief, "deep/er"), { recursive: true });
      await rm(brief, { recursive: true });
    }
  }
  const coming = comeAndGo();
  for (let walk = 0; walk < 500; walk += 1) expect(await filesBelow(root)).toEqual(expect.arrayContaining(staying));
  isOver = true;
  await coming;
  expect((await filesBelow(root)).sort()).toEqual([...staying].sort());
});

test("a folder that is not there is no folder without files", async () => {
  await expect(filesBelow(join(root, "gone"))).rejects.toMatchObject({ code: "ENOENT" });
});
