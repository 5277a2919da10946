/** The token of an `Authorization: Bearer …` header; undefined for any other value. */
export function bearerToken(authorization: string | undefined): string | undefined {
  return /^Bearer +([^\s]+) *$/i.exec(authorization ?? "")?.[1];
}
