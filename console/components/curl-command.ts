/** A delivery as commands for a shell: to try a receiver with the same bytes, signed by the secret in the environment. */

interface SentRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

/** For sh with curl and openssl. The signature is that of Standard Webhooks, and new, because its time is part of it. */
export function curlCommand(url: string, { method, headers, body }: SentRequest): string {
  const id = headers["webhook-id"] ?? "";
  const fields = Object.entries(headers).map(([name, value]) => `  -H ${quoted(`${name}: ${value}`)} \\`);
  return [
    "# PACKSHOT_WEBHOOK_SECRET is the secret, whsec_…",
    `body=${quoted(body ?? "")}`,
    `id=${quoted(id)}`,
    "time=$(date +%s)",
    `key=$(printf %s "\${PACKSHOT_WEBHOOK_SECRET#whsec_}" | openssl base64 -d -A | od -An -vtx1 | tr -d ' \\n')`,
    'signature=$(printf %s "$id.$time.$body" | openssl dgst -sha256 -mac HMAC -macopt "hexkey:$key" -binary | openssl base64 -A)',
    `curl -i -X ${method} ${quoted(url)} \\`,
    ...fields,
    '  -H "webhook-timestamp: $time" \\',
    '  -H "webhook-signature: v1,$signature" \\',
    '  --data-binary "$body"',
    "",
  ].join("\n");
}
