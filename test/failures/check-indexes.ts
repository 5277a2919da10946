/** Checks what an account counts beside its record: its keys, by their index, and its upload sessions, by their tally. */
import type { Account } from "@packshot/domain/accounts/account.ts";
import type { RecordIndex } from "@packshot/domain/accounts/record-index.ts";
import { windowKinds } from "@packshot/domain/accounts/window.ts";
import { subjects, subjectTokens } from "@packshot/domain/subjects.ts";
import type { Upload } from "@packshot/domain/uploads/upload.ts";
import { type UploadTally, uploadTotals } from "@packshot/domain/uploads/upload-tally.ts";

interface Found<T> {
  readonly subject: string;
  readonly value: T | undefined;
}

interface IndexEvidence {
  /** API keys by their ids, tombstones included. */
  readonly keys: readonly Found<object>[];
  /** Those that are open. */
  readonly uploads: readonly Found<Upload>[];
  readonly indexes: readonly Found<RecordIndex | UploadTally>[];
}

export function indexViolations(account: Account, evidence: IndexEvidence): string[] {
  return [...ofKeys(account, evidence), ...ofUploads(account, evidence)];
}

/** An account counts its keys, and its index lists each of them once. */
function ofKeys({ accountId, apiKeys }: Account, { keys, indexes }: IndexEvidence): string[] {
  const own = keys.filter(
    ({ subject, value }) => value !== undefined && subjectTokens(subject).accountId === accountId,
  );
  const ids = own.map(({ subject }) => subjectTokens(subject).ids[0]!).sort();
  const index = indexes.find(({ subject }) => subject === subjects.index(accountId, "keys"))?.value;
  const listed = (index as RecordIndex | undefined)?.ids ?? [];
  return [
    ...(apiKeys === ids.length ? [] : [`${accountId} has apiKeys ${apiKeys} and ${ids.length} keys`]),
    ...(listed.toSorted().join() === ids.join() ? [] : [`the index of ${accountId} does not list its keys`]),
  ];
}

/** An account's tally counts its open upload sessions and the bytes declared for them. */
function ofUploads({ accountId }: Account, { uploads, indexes }: IndexEvidence): string[] {
  const index = indexes.find(({ subject }) => subject === subjects.index(accountId, "uploads"))?.value;
  const ofAccount = uploads.map(({ value }) => value!).filter((upload) => upload.accountId === accountId);
  return windowKinds.flatMap((window) => {
    const own = ofAccount.filter(({ live }) => live === (window === "live"));
    const bytesOfOwn = own.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
    const { sessions, bytes } = uploadTotals(index as UploadTally | undefined, window, Date.now());
    if (sessions === own.length && bytes === bytesOfOwn) return [];
    const recorded = `${sessions} upload sessions with ${bytes} bytes (${window})`;
    return [`${accountId} counts ${recorded} and has ${own.length} with ${bytesOfOwn}`];
  });
}
