/**
 * The image, built from deploy/docker/Dockerfile and run in containers by podman. What is particular to the official base image is
 * not part of it (testing/containers/stand-in-images.ts).
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { nodeFlags, serviceMains } from "../../cli/up/services.ts";
import { type BuiltImage, buildImage } from "../../testing/containers/build-image.ts";
import { describeInContainers } from "../../testing/containers/describe-in-containers.ts";
import { imageConfig, imageSize } from "../../testing/containers/image-facts.ts";
import { type Pod, startPod } from "../../testing/containers/service-pod.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const read = (path: string) => readFileSync(join(root, path), "utf8");
const timeoutMs = 1_200_000;
const bytesAboveBaseMax = 250e6;

/** A part of something that is built before has no folder of its own. */
const isPart = ({ name }: { readonly name: string }) => name === "packshot:part-of";

/** What of a package's folder decides about what is installed. */
function installedIn(lockFile: string): string[] {
  const { packages } = JSON.parse(lockFile) as { packages: Record<string, { version: string; link?: boolean }> };
  const names = Object.entries(packages)
    .filter(([path, { link }]) => path.includes("node_modules/") && !link)
    .map(([path, { version }]) => `${path.split("node_modules/").at(-1)}@${version}`);
  return [...new Set(names)].toSorted();
}

describeInContainers("the image, in containers", (engine) => {
  let image: BuiltImage;
  let pod: Pod | undefined;
  afterAll(() => pod?.stop(), timeoutMs);
  beforeAll(async () => {
    image = await buildImage(engine);
  }, timeoutMs);

  const hardened = ["run", "--rm", "--network", "none", "--read-only", "--cap-drop", "all", "--tmpfs", "/tmp"];
  const run = (args: readonly string[], flags: readonly string[] = []) =>
    engine.podman([...hardened, ...flags, image.tag, ...args]);
  const evaluate = async (script: string, flags: readonly string[] = []) => run(["--eval", script], flags);

  test("runs Node as a user by number, and adds at most 250 MB to its base", async () => {
    expect(await imageConfig(engine, image.tag)).toMatchObject({
      User: "10001:10001",
      Entrypoint: ["node"],
      Cmd: ["services/api/api-main.ts"],
      Volumes: { "/tmp": {} },
      Labels: { "org.opencontainers.image.title": "Packshot", "org.opencontainers.image.version": expect.any(String) },
    });
    expect((await imageSize(engine, image.tag)) - (await imageSize(engine, image.base))).toBeLessThan(
      bytesAboveBaseMax,
    );
    expect(await evaluate("console.log(process.getuid(), process.version)")).toBe(`10001 ${process.version}`);
  });

  test("its root cannot be written, and Node's program cannot be read", async () => {
    const refusal = (call: string) =>
      evaluate(`try { ${call}; console.log("done") } catch ({ code }) { console.log(code) }`);
    expect(await refusal('require("fs").writeFileSync("/packshot/new", "")')).toBe("EROFS");
    expect(await refusal('require("fs").readFileSync(process.execPath)')).toBe("EACCES");
    // Without a read-only root, too: it is root's.
    const writable = ["run", "--rm", "--network", "none", image.tag, "--eval"];
    const write = (path: string) =>
      `try { require("fs").writeFileSync("${path}", "") } catch ({ code }) { console.log(code) }`;
    for (const path of ["/packshot/new", "/packshot/.cache/node-compile/new", "/usr/local/bin/node"])
      expect(await engine.podman([...writable, write(path)]), path).toBe("EACCES");
  });

  test("nothing of the machine that built it is in it", async () => {
    const names = ["/run/secrets", "/usr/local/lib/node_modules", "/usr/local/bin/npm"];
    const there = `console.log(JSON.stringify(${JSON.stringify(names)}.filter((path) => require("fs").existsSync(path))))`;
    expect(JSON.parse(await evaluate(there, ["--user", "0"]))).toEqual([]);
    const home = 'console.log(require("fs").readdirSync("/root").filter((name) => name.startsWith(".npm")).length)';
    expect(await evaluate(home, ["--user", "0"])).toBe("0");
    expect(await evaluate('console.log(require("fs").readFileSync(".npmrc", "utf8").trim())')).toBe(
      read(".npmrc").trim(),
    );
    const { Env } = await imageConfig(engine, image.tag);
    expect(Env.map((entry) => entry.split("=")[0]).toSorted()).toEqual(["NODE_COMPILE_CACHE", "NODE_ENV", "PATH"]);
  });

  test("the SBOM lists exactly the packages in it", async () => {
    const folder = mkdtempSync(join(tmpdir(), "packshot-sbom-"));
    try {
      execFileSync("sh", ["deploy/docker/write-sbom.sh", folder], { cwd: root, stdio: "ignore" });
      const name = `packshot-${process.arch === "arm64" ? "arm64" : "amd64"}.cdx.json`;
      const { components } = JSON.parse(readFileSync(join(folder, name), "utf8")) as {
        components: readonly {
          type: string;
          name: string;
          version: string;
          properties?: readonly { name: string }[];
        }[];
      };
      const packages = components.filter(({ type, properties = [] }) => type === "library" && !properties.some(isPart));
      const listed = new Set(packages.map(({ name, version }) => `${name}@${version}`));
      const lockFile = 'console.log(require("fs").readFileSync("node_modules/.package-lock.json", "utf8"))';
      expect([...listed].toSorted()).toEqual(installedIn(await evaluate(lockFile)));
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test("services take the modules that were compiled with the image", async () => {
    // Without its keys it ends once all is loaded.
    const args = JSON.stringify([...nodeFlags.webhooks, serviceMains.webhooks]);
    const script = `const { spawnSync } = require("child_process");
      const env = { ...process.env, NODE_DEBUG_NATIVE: "COMPILE_CACHE" };
      const { stdout, stderr } = spawnSync(process.execPath, ${args}, { encoding: "utf8", env, maxBuffer: 1e8 });
      process.stdout.write(stdout + stderr);`;
    const trace = await evaluate(script);
    const lines = trace
      .split("\n")
      .filter((line) => line.includes("file:///packshot/") || line.includes(" /packshot/"));
    expect(lines.filter((line) => line.includes("was accepted")).length).toBeGreaterThan(100);
    expect(lines.filter((line) => line.includes("was not initialized") && !line.includes(".cache"))).toEqual([]);
  });

  test("command line and doctor run in it", async () => {
    expect(await run(["cli/packshot.ts", "--version"])).toMatch(/^\d+\.\d+\.\d+$/);
    expect(await run(["cli/packshot.ts", "models", "verify"])).toContain("packshot-mask");
  });

  test("each service runs in a container of its own, a photo is edited, and SIGTERM ends all of them", async () => {
    pod = await startPod(engine, image.tag);
    expect(Object.keys(pod.readyAfterMs).toSorted()).toEqual(["api", "modelServer", "webhooks", "worker"]);
    expect(await pod.tryEdit()).toMatch(/^edited .* a PNG of \d+ KB$/);
    // None of them could have started a shell.
    const shell = 'console.log(require("child_process").spawnSync("/bin/sh", ["-c", ":"]).error?.code)';
    for (const service of ["api", "worker", "modelServer", "webhooks"] as const)
      expect(await pod.node(service, ["--eval", shell]), service).toBe("EACCES");
    const statuses = await pod.stop();
    pod = undefined;
    expect(statuses).toEqual({ api: 0, modelServer: 0, webhooks: 0, worker: 0 });
  });
});
