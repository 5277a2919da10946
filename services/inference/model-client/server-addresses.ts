/**
 * The addresses of the model servers behind one setting: a name is resolved again every few seconds, because a headless
 * service has an address for each pod and pods come and go. grpc-js resolves a name again only when a connection drops.
 */
import { isIP } from "node:net";
import { createHostResolver, type HostResolver } from "@packshot/platform/outbound/host-resolver.ts";

export interface AddressWatch {
  /** Why there is no address, as the end of a sentence about the server; undefined when there is one. */
  problem(): string | undefined;
  close(): void;
}

export interface AddressWatchDeps {
  /** `host:port`, `dns:///host:port` or `unix:PATH`. */
  readonly target: string;
  /** Called with what has changed only: `host:port` or `unix:PATH` each. Never with none. */
  readonly onAddresses: (addresses: readonly string[]) => void;
  readonly resolve?: HostResolver;
  readonly everyMs?: number;
}

/** Between two answers; Kubernetes' DNS has seen a change of a headless service within as much. */
const resolveEveryMs = 3_000;

/** The name that stands for the servers, which their certificates are for; undefined for an address. */
export function nameIn(target: string): string | undefined {
  const { host } = splitTarget(target) ?? {};
  return host === undefined || isIP(host) !== 0 ? undefined : host;
}

/** A fixed address is reported at once, before this returns. */
export function watchAddresses(deps: AddressWatchDeps): AddressWatch {
  const { onAddresses, resolve = createHostResolver(), everyMs = resolveEveryMs } = deps;
  const target = deps.target.replace(/^dns:\/{0,3}/, "");
  const named = splitTarget(target);
  if (named === undefined || isIP(named.host) !== 0) {
    onAddresses([target]);
    return { problem: () => undefined, close() {} };
  }
  const { host, port } = named;
  let known: readonly string[] = [];
  let problem: string | undefined = "is being looked up";
  let timer: NodeJS.Timeout | undefined;
  let closed = false;

  async function look(): Promise<void> {
    const found = await resolve(host).catch((error: Error) => {
      // The servers that are known answer on while the name servers are away, or while the name has no address.
      if (known.length === 0) problem = `cannot be found: ${error.message}`;
      return [];
    });
    if (closed) return;
    timer = setTimeout(() => void look(), everyMs);
    note(found);
  }

  function note(found: Awaited<ReturnType<HostResolver>>): void {
    // A server with addresses of both families would count twice.
    const family = found.some((each) => each.family === 4) ? 4 : 6;
    const ofFamily = found.filter((each) => each.family === family).map(({ address }) => withPort(address, port));
    const addresses = [...new Set(ofFamily)].sort();
    if (addresses.length === 0 || addresses.join() === known.join()) return;
    known = addresses;
    problem = undefined;
    onAddresses(known);
  }

  void look();
  return {
    problem: () => problem,
    close() {
      closed = true;
      clearTimeout(timer);
    },
  };
}

function splitTarget(target: string): { host: string; port: string } | undefined {
  if (target.startsWith("unix:")) return undefined;
  const [, bracketed, plain, port] = /^(?:dns:\/{0,3})?(?:\[(.+)\]|([^:]+)):(\d+)$/.exec(target) ?? [];
  const host = bracketed ?? plain;
  return host === undefined || port === undefined ? undefined : { host, port };
}

function withPort(address: string, port: string): string {
  return address.includes(":") ? `[${address}]:${port}` : `${address}:${port}`;
}
