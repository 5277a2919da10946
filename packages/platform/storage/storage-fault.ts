/**
 * An object storage that refuses or does not answer. The text names the operation, the status and the code; what the
 * server says about its signature stays out of it, because logs must not hold that.
 */
export class StorageFault extends Error {
  /** False where one file alone may be the reason. */
  readonly isCertain: boolean;
  /** There is no room for more; what is there can be read and deleted. */
  readonly isFull: boolean;
  /** The server's, as "SlowDown", or the network's, as "ECONNREFUSED". */
  readonly code: string;

  constructor(message: string, { isCertain, isFull = false, code }: StorageFaultDetails) {
    super(message);
    this.name = "StorageFault";
    this.isCertain = isCertain;
    this.isFull = isFull;
    this.code = code;
  }
}

export interface StorageFaultDetails {
  readonly isCertain: boolean;
  readonly isFull?: boolean;
  readonly code: string;
}
