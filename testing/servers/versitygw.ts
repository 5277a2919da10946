/** A real S3 server for tests: versitygw, a child process on a free port, with its files in a folder of its own. */
import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PutBucketPolicyCommand } from "@aws-sdk/client-s3";
import { pause } from "@packshot/platform/flow/pause.ts";
import { createS3Client, type S3Settings } from "@packshot/platform/storage/s3-client.ts";
import { guardedByStdin, type Service, startService } from "../../cli/up/start-service.ts";
import { findProgram } from "../programs.ts";
import { onFreePorts } from "./free-ports.ts";

const program = findProgram("versitygw") ?? "versitygw";
const readyTimeoutMs = 60_000;
const pollMs = 50;
const bucket = "photos";
const root = { accessKeyId: "root-of-the-tests", secretAccessKey: randomBytes(20).toString("hex") };

export interface TestS3 {
  readonly url: string;
  /** For a bucket that is there, with all rights. */
  readonly settings: S3Settings & { readonly endpoint: string };
  /** The same for a process. */
  readonly environment: Readonly<Record<string, string>>;
  /** A user who may do these actions ("s3:GetObject") and no others. */
  addUser(actions: readonly string[]): Promise<Required<S3Settings>["credentials"]>;
  /** As by `kill -9`. */
  kill(): Promise<void>;
  /** On the same port, with what it had stored. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

async function launch(port: number, folder: string): Promise<Service<boolean>> {
  const address = `127.0.0.1:${port}`;
  const users = ["--iam-dir", join(folder, "users"), "--iam-cache-disable"];
  // Beside the files and not in their attributes, which not every file system of a temporary folder has.
  const metadata = ["--sidecar", join(folder, "metadata")];
  const args = ["--port", address, "--keep-alive", ...users, "posix", ...metadata, join(folder, "buckets")];
  return await startService({
    name: "versitygw",
    ...guardedByStdin(program, args),
    environment: { ...process.env, ROOT_ACCESS_KEY: root.accessKeyId, ROOT_SECRET_KEY: root.secretAccessKey },
    readyTimeoutMs,
    async waitForReady({ signal }) {
      // It says that it listens before it does.
      while (!signal.aborted) {
        const answered = await fetch(`http://${address}/`).catch(() => undefined);
        if (answered !== undefined) return true;
        await pause(pollMs, signal);
      }
      throw new Error("versitygw did not answer");
    },
  }).catch((error: Error) => {
    if (!/not found/.test(error.message)) throw error;
    throw new Error("versitygw is missing: run `node scripts/setup.mjs versitygw`, which needs Go");
  });
}

export async function startS3(): Promise<TestS3> {
  const folder = await mkdtemp(join(tmpdir(), "packshot-s3-"));
  await mkdir(join(folder, "users"));
  await mkdir(join(folder, "metadata"));
  await mkdir(join(folder, "buckets", bucket), { recursive: true });
  const started = await onFreePorts(1, async ([port]) => ({ port: port!, server: await launch(port!, folder) }));
  const { port } = started;
  let { server } = started;
  const url = `http://127.0.0.1:${port}`;
  const settings = { bucket, region: "us-east-1", endpoint: url, forcePathStyle: true, prefix: "", credentials: root };

  function administer(...args: readonly string[]): void {
    const { accessKeyId, secretAccessKey } = root;
    const access = ["admin", "--allow-insecure", "--access", accessKeyId, "--secret", secretAccessKey];
    const done = spawnSync(program, [...access, "--endpoint-url", url, ...args], { encoding: "utf8" });
    if (done.status !== 0) throw new Error(`versitygw admin ${args[0]}: ${done.stderr}${done.stdout}`);
  }

  return {
    url,
    settings,
    environment: {
      PACKSHOT_STORAGE: "s3",
      PACKSHOT_S3_BUCKET: bucket,
      PACKSHOT_S3_REGION: settings.region,
      PACKSHOT_S3_ENDPOINT: url,
      PACKSHOT_S3_FORCE_PATH_STYLE: "1",
      AWS_ACCESS_KEY_ID: root.accessKeyId,
      AWS_SECRET_ACCESS_KEY: root.secretAccessKey,
    },
    async addUser(actions) {
      const user = { accessKeyId: randomBytes(8).toString("hex"), secretAccessKey: randomBytes(20).toString("hex") };
      const { accessKeyId, secretAccessKey } = user;
      administer("create-user", "--access", accessKeyId, "--secret", secretAccessKey, "--role", "user");
      const rule = { Effect: "Allow", Principal: { AWS: [accessKeyId] } };
      const ofObjects = /Object$|Parts$|MultipartUpload$/;
      const Statement = [
        { ...rule, Action: actions.filter((action) => ofObjects.test(action)), Resource: `arn:aws:s3:::${bucket}/*` },
        { ...rule, Action: actions.filter((action) => !ofObjects.test(action)), Resource: `arn:aws:s3:::${bucket}` },
      ].filter(({ Action }) => Action.length > 0);
      const Policy = JSON.stringify({ Version: "2012-10-17", Statement });
      const client = createS3Client(settings);
      await client.send(new PutBucketPolicyCommand({ Bucket: bucket, Policy }));
      client.destroy();
      return user;
    },
    kill: () => server.kill(),
    async restart() {
      await server.stop();
      server = await launch(port, folder);
    },
    async stop() {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
