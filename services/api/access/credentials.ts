/** What a request shows of who sends it. */
export interface Credentials {
  /** The `Authorization` header. */
  readonly authorization: string | undefined;
  /** The client's, as far as proxies are trusted to tell it. */
  readonly address: string;
}
