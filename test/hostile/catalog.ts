/** All attacks, by kind. The same seed makes the same ones. */
import { createRandom, type Random } from "@packshot/domain/random.ts";
import { keyAttacks, linkAttacks } from "./access-attacks.ts";
import { bucketAttacks, sourceAttacks, webhookAttacks } from "./address-attacks.ts";
import { bucketAnswerAttacks, receiverAnswerAttacks } from "./answer-attacks.ts";
import type { Attack, Target } from "./attack.ts";
import { formAttacks } from "./form-attacks.ts";
import { httpAttacks } from "./http-attacks.ts";
import { imageAttacks } from "./image-attacks.ts";
import { jsonAttacks } from "./json-attacks.ts";
import { tableAttacks } from "./table-attacks.ts";

type MakeAttacks = (random: Random, count: number, target: Target) => Attack[] | Promise<Attack[]>;

export interface AttackKind {
  /** Its share of all attacks, in hundredths. */
  readonly percent: number;
  /** So many are sent at once: an account may have four files of rows read. */
  readonly atOnce?: number;
  readonly make: MakeAttacks;
}

export const attackKinds: Readonly<Record<string, AttackKind>> = {
  HTTP: { percent: 17, make: httpAttacks },
  JSON: { percent: 22, make: jsonAttacks },
  "multipart forms": { percent: 10, make: formAttacks },
  "rows of batches": { percent: 3, atOnce: 4, make: tableAttacks },
  images: { percent: 14, make: imageAttacks },
  "addresses of photos": { percent: 6, make: sourceAttacks },
  "addresses of webhooks": { percent: 8, make: webhookAttacks },
  "buckets and their keys": { percent: 6, make: bucketAttacks },
  // An account of this plan may have ten webhooks and ten connections.
  "answers of buckets": { percent: 2, atOnce: 4, make: bucketAnswerAttacks },
  "answers of receivers": { percent: 2, atOnce: 4, make: receiverAnswerAttacks },
  "keys and others' jobs": { percent: 5, make: keyAttacks },
  "signed links": { percent: 5, make: linkAttacks },
};

/** `count` attacks in all, less what is rounded off, kind by kind. */
export async function makeAttacks(seed: number, count: number, target: Target): Promise<Map<string, Attack[]>> {
  const random = createRandom(seed);
  const made = new Map<string, Attack[]>();
  for (const [kind, { percent, make }] of Object.entries(attackKinds))
    made.set(kind, await make(random, Math.max(1, Math.round((count * percent) / 100)), target));
  return made;
}
