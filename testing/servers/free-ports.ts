import { createServer } from "node:net";

const startsMax = 3;

/**
 * Calls `start` with free ports of loopback, for servers whose port must be known before they start; again with others
 * when another process took one in between.
 */
export async function onFreePorts<T>(count: number, start: (ports: readonly number[]) => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await start(await freePorts(count));
    } catch (error) {
      if (tries === startsMax || !/address already in use/i.test(String(error))) throw error;
    }
  }
}

async function freePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(
    Array.from({ length: count }, () => {
      const server = createServer();
      return new Promise<typeof server>((resolve) => server.listen(0, "127.0.0.1", () => resolve(server)));
    }),
  );
  const ports = servers.map((server) => (server.address() as { port: number }).port);
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}
