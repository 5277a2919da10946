/**
 * C0 and C1 controls, separators of lines and paragraphs, and what turns the direction of letters, so that "gpj.exe" reads as
 * "exe.jpg": text of others that is shown must have none of them.
 */
export const controlCharacters = /[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/gu;
