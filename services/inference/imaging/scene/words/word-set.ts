/** @param words with spaces between them */
export const wordSet = (words: string): ReadonlySet<string> => new Set(words.split(" "));
