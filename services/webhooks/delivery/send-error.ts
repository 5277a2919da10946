/** Says why a request got no answer, in words for the delivery log that the webhook's owner can act on. */

const certificateErrors: Readonly<Record<string, string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: "the certificate is self-signed",
  SELF_SIGNED_CERT_IN_CHAIN: "the certificate's chain ends in a self-signed one that is not trusted",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "the certificate's authority is not trusted, or its chain is incomplete",
  UNABLE_TO_GET_ISSUER_CERT: "the certificate's authority is not trusted, or its chain is incomplete",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "the certificate's authority is not trusted, or its chain is incomplete",
  CERT_HAS_EXPIRED: "the certificate has expired",
  CERT_NOT_YET_VALID: "the certificate is not valid yet",
  CERT_REVOKED: "the certificate was revoked",
};

interface ErrorWithCode extends Error {
  readonly code?: unknown;
  /** OpenSSL sets it, for example to `wrong version number`. */
  readonly reason?: unknown;
}

export function describeSendError(error: unknown): string {
  if (!(error instanceof Error)) return "the request failed";
  // It holds one error for each address that was tried.
  if (error instanceof AggregateError && error.errors[0] instanceof Error) return describeSendError(error.errors[0]);
  const { code, reason, message, name } = error as ErrorWithCode;
  if (typeof code === "string") {
    const certificateError = certificateErrors[code];
    if (certificateError !== undefined) return `${certificateError} (${code})`;
    if (code === "ERR_TLS_CERT_ALTNAME_INVALID") return `the certificate is for another name: ${String(reason)}`;
    if (code.startsWith("ERR_SSL_") || code === "EPROTO") return `no TLS connection: ${String(reason ?? code)}`;
  }
  return message === "" ? name : message;
}
