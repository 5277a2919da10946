interface Page<T> {
  readonly data: readonly T[];
  readonly nextCursor?: string | undefined;
}

/** Entries of all pages, each page read when its first entry is asked for. A page may be empty and have a next one. */
export async function* paginate<T>(read: (cursor: string | undefined) => Promise<Page<T>>): AsyncGenerator<T, void> {
  let cursor: string | undefined;
  do {
    const page = await read(cursor);
    yield* page.data;
    cursor = page.nextCursor;
  } while (cursor !== undefined);
}
