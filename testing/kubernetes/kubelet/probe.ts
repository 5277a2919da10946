/** One try of a probe: by HTTP or TCP, which are those of the chart. */
import { once } from "node:events";
import { request } from "node:http";
import { connect } from "node:net";
import type { Container, HTTPGetAction, Probe } from "kubernetes-types/core/v1.d.ts";

export interface ProbeTarget {
  readonly container: Container;
  readonly address: string;
}

/** A loaded test machine answers late, which says nothing about the container: each try may take so much longer. */
const patience = 5;

/** Undefined when it succeeded, else why it did not, in kubelet's words. */
export async function tryProbe(probe: Probe, target: ProbeTarget): Promise<string | undefined> {
  const timeoutMs = (probe.timeoutSeconds ?? 1) * 1000 * patience;
  const { httpGet, tcpSocket } = probe;
  if (httpGet !== undefined) return await tryHttp(httpGet, target, timeoutMs);
  if (tcpSocket !== undefined)
    return await tryTcp(portNumber(tcpSocket.port, target.container), target.address, timeoutMs);
  throw new Error("this kubelet knows probes by HTTP and TCP only");
}

function portNumber(port: number | string, container: Container): number {
  if (typeof port === "number") return port;
  const named = container.ports?.find(({ name }) => name === port)?.containerPort;
  return named ?? Number(port);
}

async function tryHttp(
  { path = "/", port: portOrName }: HTTPGetAction,
  { container, address: host }: ProbeTarget,
  timeoutMs: number,
): Promise<string | undefined> {
  const signal = AbortSignal.timeout(timeoutMs);
  const port = portNumber(portOrName, container);
  try {
    const asked = request({ host, port, path, signal, agent: false }).end();
    const [response] = (await once(asked, "response", { signal })) as [{ statusCode: number; resume(): void }];
    response.resume();
    const { statusCode } = response;
    return statusCode < 400 ? undefined : `HTTP probe failed with statuscode: ${statusCode}`;
  } catch (error) {
    return `Get "http://${host}:${port}${path}": ${(error as Error).message}`;
  }
}

async function tryTcp(port: number, host: string, timeoutMs: number): Promise<string | undefined> {
  const socket = connect({ host, port });
  try {
    await once(socket, "connect", { signal: AbortSignal.timeout(timeoutMs) });
    return undefined;
  } catch (error) {
    return `dial tcp ${host}:${port}: ${(error as Error).message}`;
  } finally {
    socket.destroy();
  }
}
