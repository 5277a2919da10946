/**
 * A link to a file on S3, signed. It loads nothing of the SDK, which takes 12 MB and a tenth of a second: whoever keeps files on
 * a disk needs neither.
 */
import type { S3RequestPresigner } from "@aws-sdk/s3-request-presigner";

/** A presigned link to one file, made without the SDK's commands: those take ten times as long as the signature. */
export interface LinkToSign {
  /** The bucket's URL, ending with "/". */
  readonly base: Pick<URL, "protocol" | "hostname" | "port" | "host" | "pathname">;
  /** Escaped as a path. */
  readonly path: string;
  readonly method: string;
  readonly query: Readonly<Record<string, string>>;
  /** Signed, so that whoever uses the link has to send them. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly signingDate: Date;
  readonly expiresInSeconds: number;
}

type SignableRequest = Parameters<S3RequestPresigner["presign"]>[0];

export async function presignUrl(presigner: S3RequestPresigner, link: LinkToSign): Promise<string> {
  const { protocol, hostname, port, host, pathname } = link.base;
  const headers = { ...link.headers, host };
  const { method, query, signingDate, expiresInSeconds: expiresIn } = link;
  const path = pathname + link.path;
  const address = { protocol, hostname, ...(port && { port: Number(port) }) };
  const signed = await presigner.presign({ ...address, method, query, headers, path } as SignableRequest, {
    signingDate,
    expiresIn,
    signableHeaders: new Set(Object.keys(headers)),
  });
  const parameters = Object.entries(signed.query ?? {}).map(
    ([name, value]) => `${percentEncode(name)}=${percentEncode(String(value))}`,
  );
  return `${protocol}//${host}${signed.path}?${parameters.join("&")}`;
}

/** As the signature has it: RFC 3986, which reserves more than `encodeURIComponent` escapes. */
export function percentEncode(text: string): string {
  return encodeURIComponent(text).replaceAll(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
}
