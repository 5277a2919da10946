/** A real S3 server with a proxy before it that can fail in its place. */
import { type S3Proxy, startS3Proxy } from "./s3-proxy.ts";
import { startS3, type TestS3 } from "./versitygw.ts";

export interface ProxiedS3 {
  readonly s3: TestS3;
  readonly proxy: S3Proxy;
  stop(): Promise<void>;
}

export async function startProxiedS3(): Promise<ProxiedS3> {
  const s3 = await startS3();
  const proxy = await startS3Proxy(s3.url);
  return {
    s3,
    proxy,
    async stop() {
      await proxy.stop();
      await s3.stop();
    },
  };
}
