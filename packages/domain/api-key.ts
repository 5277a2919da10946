/** An API key as stored. Only the SHA-256 of its secret is kept; the secret is shown once, when the key is created. */
export interface ApiKey {
  readonly v: 1;
  readonly id: string;
  readonly accountId: string;
  readonly name: string;
  /** Hex SHA-256 of the whole secret, prefix included. */
  readonly sha256: string;
  /** The secret's first characters, by which people tell keys apart: `ps_live_a1b2c3`. */
  readonly hint: string;
  /** false: `ps_test_…`. */
  readonly live: boolean;
  readonly createdAt: string;
  readonly expiresAt: string | null;
}
