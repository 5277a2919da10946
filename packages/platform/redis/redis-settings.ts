/** Where Redis is and how a process gets in. Nothing here loads its client, which takes a process without Redis 12 MB. */
import type { Settings } from "../config/settings.ts";

export interface RedisSettings {
  /** `redis://` or `rediss://`; its user and password count before the others. */
  readonly url: string;
  readonly user?: string | undefined;
  readonly password?: string | undefined;
  readonly passwordFile?: string | undefined;
  readonly caFile?: string | undefined;
}

/** undefined: no Redis is configured. */
export function readRedisSettings(settings: Settings): RedisSettings | undefined {
  const url = settings.PACKSHOT_REDIS_URL;
  if (url === undefined) return undefined;
  return {
    url,
    user: settings.PACKSHOT_REDIS_USER,
    password: settings.PACKSHOT_REDIS_PASSWORD,
    passwordFile: settings.PACKSHOT_REDIS_PASSWORD_FILE,
    caFile: settings.PACKSHOT_REDIS_TLS_CA_FILE,
  };
}

/** For messages. */
export function addressOf({ url }: RedisSettings): string {
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${pathname}`;
}
