/** A record beside the account's: it names what is to be erased until all of it is gone. */
export interface Erasure {
  readonly v: 1;
  readonly accountId: string;
  readonly requestedAt: string;
}
