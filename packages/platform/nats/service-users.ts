/** The users of nats-server, one for each service, as its environment names them. */
import { nkeys } from "@nats-io/transport-node";
import { type NatsService, natsServices } from "./permissions.ts";
import type { NatsUser } from "./server-config.ts";

/** Variable of nats-server's environment with the service's public NKEY. */
export function nkeyVariable(service: NatsService): string {
  return `PACKSHOT_NATS_${service.toUpperCase()}_NKEY`;
}

/** Variable with the service's password or its bcrypt hash. */
function passwordVariable(service: NatsService): string {
  return `PACKSHOT_NATS_${service.toUpperCase()}_PASSWORD`;
}

/** @param rotated services whose next key counts too, out of a second variable */
export function nkeyUsers(rotated: readonly NatsService[] = []): NatsUser[] {
  return natsServices.flatMap((service) => {
    const variables = [nkeyVariable(service), ...(rotated.includes(service) ? [`${nkeyVariable(service)}_NEXT`] : [])];
    return variables.map((variable) => ({ service, nkey: `$${variable}` }));
  });
}

export function passwordUsers(): NatsUser[] {
  return natsServices.map((service) => ({ service, password: `$${passwordVariable(service)}` }));
}

export interface NkeyPair {
  /** What the service has in a file: `SU…`. Secret. */
  readonly seed: string;
  /** What nats-server knows: `U…`. */
  readonly publicKey: string;
}

export function createNkeyPair(): NkeyPair {
  const pair = nkeys.createUser();
  return { seed: Buffer.from(pair.getSeed()).toString(), publicKey: pair.getPublicKey() };
}
