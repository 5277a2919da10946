/**
 * deploy/compose as operators run it, in containers: by Docker's Compose on podman, with nats-server and Redis in images that stand in
 * for the official ones. `make test-compose`.
 */
import { once } from "node:events";
import { openAsBlob, readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Packshot, verifyWebhook } from "@packshot/sdk/packshot.ts";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parse } from "yaml";
import { buildImage } from "../../testing/containers/build-image.ts";
import {
  type ComposeImages,
  type ComposeService,
  type ComposeStack,
  composeServices,
  createComposeStack,
} from "../../testing/containers/compose-stack.ts";
import { connects } from "../../testing/containers/connects.ts";
import { describeInContainers } from "../../testing/containers/describe-in-containers.ts";
import { buildReleaseImage } from "../../testing/containers/release-image.ts";
import { standInEngines } from "../../testing/containers/stand-in-engines.ts";
import { onFreePorts } from "../../testing/servers/free-ports.ts";
import { type ClientAccount, startClients } from "../cluster/clients.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const photo = await openAsBlob(join(root, "cli/demo/sample/mug.jpg"), { type: "image/jpeg" });
const timeoutMs = 1_200_000;
const waitMs = 300_000;
const bodyBytesMax = 1024 * 1024;
const clientCount = 4;
const editsBetween = 5;

const written = parse(readFileSync(join(root, "deploy/compose/compose.yaml"), "utf8"), { merge: true }) as {
  readonly services: Readonly<
    Record<
      string,
      {
        readonly user: string;
        readonly restart: string;
        readonly networks: readonly string[];
        readonly deploy: {
          readonly resources: { readonly limits: { readonly cpus: string; readonly memory: string } };
        };
      }
    >
  >;
};

interface Shop {
  readonly port: number;
  useSecret(secret: string): void;
  /** Resolves with the kind of the event that ended the job, once it came and was verified. */
  eventOf(jobId: string): Promise<string>;
  close(): void;
}

/** A receiver of webhooks on all addresses of this machine. */
async function startShop(): Promise<Shop> {
  let secret = "";
  const events = new Map<string, PromiseWithResolvers<string>>();
  const entryOf = (jobId: string) => {
    const entry = events.get(jobId) ?? Promise.withResolvers<string>();
    events.set(jobId, entry);
    return entry;
  };
  const server: Server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request.setEncoding("utf8")) if (body.length < bodyBytesMax) body += chunk;
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
    const event = await verifyWebhook(body, headers, secret).catch(() => undefined);
    response.writeHead(event === undefined ? 400 : 204).end();
    const { id } = (event?.data ?? {}) as { id?: string };
    if (event !== undefined && id !== undefined) entryOf(id).resolve(event.event);
  });
  server.listen(0, "0.0.0.0");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    useSecret(value) {
      secret = value;
    },
    eventOf: (jobId) => entryOf(jobId).promise,
    close: () => void server.close(),
  };
}

describeInContainers(
  "Compose",
  (engine) => {
    let stack: ComposeStack;
    let shop: Shop;
    let images: ComposeImages;
    let packshot: Packshot;

    beforeAll(async () => {
      images = { packshot: (await buildImage(engine)).tag, ...(await standInEngines(engine)) };
      const { image: before } = await buildReleaseImage(engine);
      shop = await startShop();
      stack = await onFreePorts(1, async ([api]) => createComposeStack(engine, { api: api!, webhooks: shop.port }));
      await stack.up({ ...images, packshot: before });
    }, timeoutMs);
    afterAll(async () => {
      await stack?.stop();
      shop?.close();
    }, timeoutMs);

    const packshotIn = (args: readonly string[]) => stack.exec("api", ["node", "cli/packshot.ts", ...args]);

    async function openAccount(): Promise<ClientAccount> {
      const { accountId } = JSON.parse(await packshotIn(["accounts", "create", "--name", "Shop", "--plan", "pro"]));
      const { key } = JSON.parse(await packshotIn(["keys", "create", accountId, "--name", "test"]));
      return { accountId, key };
    }

    /** Resolves when the result is there and the webhook has been told. */
    async function editByAll(tool: "mask" | "ai-shadows" | "ai-bg"): Promise<void> {
      const parameters = tool === "ai-bg" ? { theme: "oak table, morning light", seed: 7 } : { seed: 7 };
      const { job, ...edited } = await packshot.edit(tool, photo, { parameters });
      const { stream } = await edited.download();
      const { format, width } = await sharp(Buffer.from(await new Response(stream).arrayBuffer())).metadata();
      expect({ tool, format, status: job.status }).toMatchObject({ status: "completed", format: expect.any(String) });
      expect(width).toBeGreaterThan(100);
      expect(await shop.eventOf(job.id)).toBe("job.completed");
    }

    test("the last release's image is replaced by this one's in place: no job is lost, and keys and secrets stay", async () => {
      const ours = ["api", "worker", "model-server", "webhooks"] as const;
      const imageIds = () => Promise.all(ours.map(async (service) => (await stack.inspect(service)).Image));
      const linkKey = () =>
        stack.exec("api", ["node", "--print", 'require("fs").readFileSync("/run/packshot/secrets/link-key", "utf8")']);
      const keyBefore = await linkKey();
      const [before] = await imageIds();
      expect(await imageIds()).toEqual(ours.map(() => before));
      const clients = startClients({
        apis: () => [stack.apiUrl],
        publicUrl: stack.apiUrl,
        accounts: [await openAccount()],
        photos: [new Uint8Array(await photo.arrayBuffer())],
        concurrency: clientCount,
      });
      const completedMore = async () => {
        const completed = () => clients.counts.completed ?? 0;
        await expect.poll(completed, { timeout: waitMs }).toBeGreaterThanOrEqual(completed() + editsBetween);
      };
      try {
        await completedMore();
        await stack.up(images);
        await completedMore();
      } finally {
        await clients.finish();
      }
      console.info(JSON.stringify({ accepted: clients.accepted.size, ...clients.counts }));
      expect(clients.wrong).toEqual([]);
      expect(clients.counts.completed).toBe(clients.accepted.size);
      const [after] = await imageIds();
      expect(after).not.toBe(before);
      expect(await imageIds()).toEqual(ours.map(() => after));
      expect((await stack.inspect("migrate")).State).toMatchObject({ Status: "exited", ExitCode: 0 });
      expect(await linkKey()).toBe(keyBefore);
    });

    test("every service is healthy, and runs with the user, rights and limits of the file", async () => {
      for (const service of ["secrets", "migrate"] as const)
        expect((await stack.inspect(service)).State, service).toMatchObject({ Status: "exited", ExitCode: 0 });
      for (const service of composeServices) {
        const { user, restart, networks, deploy } = written.services[service]!;
        const { cpus, memory } = deploy.resources.limits;
        const state = await stack.inspect(service);
        expect(state.State, service).toMatchObject({ Status: "running", Health: { Status: "healthy" } });
        expect(state.Config.User, service).toBe(user);
        expect(state.EffectiveCaps ?? [], service).toEqual([]);
        expect(state.HostConfig, service).toMatchObject({
          ReadonlyRootfs: true,
          SecurityOpt: expect.arrayContaining(["no-new-privileges"]),
          NanoCpus: Number(cpus) * 1e9,
          Memory: Number.parseInt(memory, 10) * (memory.endsWith("G") ? 2 ** 30 : 2 ** 20),
          RestartPolicy: { Name: restart },
        });
        const joined = Object.keys(state.NetworkSettings.Networks).map((name) => name.replace(`${stack.project}_`, ""));
        expect(joined.toSorted(), service).toEqual([...networks].toSorted());
      }
    });

    test("the kernel holds the limits, and each service has its own secrets only, which it cannot change", async () => {
      const files = (service: ComposeService) =>
        stack.exec(service, [
          "node",
          "--eval",
          `const { readdirSync, writeFileSync } = require("fs");
          const folder = "/run/packshot/secrets";
          try { writeFileSync(folder + "/new", "") } catch ({ code }) { console.log(code, ...readdirSync(folder)) }`,
        ]);
      expect(await files("api")).toBe("EROFS admin-token link-key master-key nats-password");
      expect(await files("webhooks")).toBe("EROFS link-key master-key nats-password");
      expect(await files("worker")).toBe("EROFS model-server-token nats-password");
      expect(await files("model-server")).toBe("EROFS model-server-token");
      const memory = await stack.exec("webhooks", ["node", "--print", "process.constrainedMemory()"]);
      expect(Number(memory)).toBe(512 * 2 ** 20);
    });

    test("networks keep apart what the file keeps apart", async () => {
      const from = (service: ComposeService, host: string, port: number) =>
        stack.exec(service, ["node", ...connects(host, port)]);
      // Right after an update the first packets of a new container may be lost.
      const reaches = (service: ComposeService, host: string, port: number) =>
        expect.poll(() => from(service, host, port), { timeout: waitMs }).toBe("open");
      await reaches("api", "redis", 6379);
      expect(await from("worker", "redis", 6379)).toBe("ENOTFOUND");
      await reaches("webhooks", "nats", 4222);
      // A stranger on the network that leads outside.
      const stranger = (host: string, port: number) =>
        engine.podman([
          "run",
          "--rm",
          "--network",
          `${stack.project}_outside`,
          images.packshot,
          ...connects(host, port),
        ]);
      await expect.poll(() => stranger("api", 8080), { timeout: waitMs }).toBe("open");
      expect(await stranger("nats", 4222)).toBe("ENOTFOUND");
      expect(await stranger("model-server", 8001)).toBe("ENOTFOUND");
      expect(await stranger("redis", 6379)).toBe("ENOTFOUND");
      // What is only inside reaches nothing outside.
      const { host, port } = stack.webhookAddress;
      expect(await from("model-server", host, port)).toMatch(/^(ENETUNREACH|EHOSTUNREACH|ECONNREFUSED|timeout)$/);
      await reaches("worker", host, port);
    });

    test("a photo is edited with all three tools, and a webhook is told of each", async () => {
      expect(await packshotIn(["try", "--api-url", "http://127.0.0.1:8080"])).toMatch(/^edited /);
      const { key } = await openAccount();
      packshot = new Packshot({ baseUrl: stack.apiUrl, apiKey: key });
      const { host, port } = stack.webhookAddress;
      const { secret } = await packshot.webhooks.create({
        url: `http://${host}:${port}/hook`,
        events: ["job.completed"],
      });
      shop.useSecret(secret);
      for (const tool of ["mask", "ai-shadows", "ai-bg"] as const) await editByAll(tool);
    });

    for (const service of composeServices)
      test(`${service} comes back when it is killed, and no edit is lost`, async () => {
        const { State, RestartCount } = await stack.inspect(service);
        // Under way when the process dies.
        const submitted = await packshot.submit("mask", photo, { parameters: { seed: 8 } });
        await stack.kill(service);
        await stack.untilHealthyAgain(service, State.Pid);
        expect((await stack.inspect(service)).RestartCount).toBeGreaterThan(RestartCount);
        expect(await packshot.jobs.wait(submitted.id)).toMatchObject({ status: "completed" });
        expect(await shop.eventOf(submitted.id)).toBe("job.completed");
        await editByAll("mask");
      });
  },
  "test-compose",
);
