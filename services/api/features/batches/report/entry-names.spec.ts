import fc from "fast-check";
import { expect, test, vi } from "vitest";
import { createEntryNames, entryName } from "./entry-names.ts";

test.each([
  ["K-17", "K-17.png"],
  ["../../etc/passwd", "_.._etc_passwd.png"],
  ["C:\\shoes\\1", "C__shoes_1.png"],
  ["Blüte 7/8", "Blüte 7_8.png"],
  [" . ", "_.png"],
  ["CON", "_CON.png"],
  ["a\u202egnp.exe", "a_gnp.exe.png"],
  ['"; rm -rf *', "__ rm -rf _.png"],
  ["Sneaker 👟🔥", "Sneaker 👟🔥.png"],
  ["👩🏽‍🔬 ❤️ 🇩🇪 1️⃣ 🏴󠁧󠁢󠁳󠁣󠁴󠁿", "👩🏽‍🔬 ❤️ 🇩🇪 1️⃣ 🏴󠁧󠁢󠁳󠁣󠁴󠁿.png"],
  ["K‑17 – “blau” 42½ €", "K‑17 – “blau” 42½ €.png"],
  ["كتاب‌ها 靴 รองเท้า क्‍ष", "كتاب‌ها 靴 รองเท้า क्‍ष.png"],
  ["a\u{e0041}\u200db\u2028c\u0085d\u{f0000}\ud800", "a__b_c_d__.png"],
  ["a／..＼x⁄y∕z¥", "a_.._x_y_z_.png"],
])("%j is the file %j", (ref, name) => {
  expect(entryName(ref, "image/png")).toBe(name);
});

test("the extension is the image's, and nothing else", () => {
  expect(entryName("a", "image/jpeg")).toBe("a.jpg");
  expect(entryName("a", "image/webp")).toBe("a.webp");
  expect(entryName("a", "image/../x")).toBe("a.bin");
});

test("a long ref is cut at a whole character, and looked at once", () => {
  const measure = vi.spyOn(Buffer, "byteLength");
  expect(entryName("名".repeat(195), "image/png")).toBe(`${"名".repeat(60)}.png`);
  const measured = measure.mock.calls.reduce((sum, [text]) => sum + (text as string).length, 0);
  measure.mockRestore();
  expect(measured).toBeLessThanOrEqual(195);
});

test("names that are alike are numbered", () => {
  const names = createEntryNames();
  const given = ["a/b", "a_b", "A_B", "a_b (2)", "a_b", "c"].map((ref) => names.next(ref, "image/png"));
  expect(given).toEqual(["a_b.png", "a_b (2).png", "A_B (3).png", "a_b (2) (2).png", "a_b (4).png", "c.png"]);
  expect(names.next("c", "image/jpeg")).toBe("c.jpg");
});

test("names that differ in what is not seen are numbered", () => {
  const names = createEntryNames();
  const given = ["❤", "❤\ufe0f", "nama", "na\u200cma"].map((ref) => names.next(ref, "image/png"));
  expect(given).toEqual(["❤.png", "❤\ufe0f (2).png", "nama.png", "na\u200cma (2).png"]);
});

test("a long name ends with a whole emoji, or between marks", () => {
  expect(entryName("👩🏽‍🔬".repeat(60), "image/png")).toBe(`${"👩🏽‍🔬".repeat(12)}.png`);
  expect(entryName("x".repeat(1_000), "image/png")).toBe(`${"x".repeat(180)}.png`);
  expect(entryName(`e${"\u0301".repeat(500)}`, "image/png")).toBe(`é${"\u0301".repeat(89)}.png`);
});

test("whatever the refs are, names are safe, short and differ", () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: "binary", maxLength: 400 }), { maxLength: 50 }), (refs) => {
      const names = createEntryNames();
      const given = refs.map((ref) => names.next(ref, "image/png"));
      expect(new Set(given.map((name) => name.toLowerCase())).size).toBe(refs.length);
      for (const name of given) {
        expect(Buffer.byteLength(name)).toBeLessThan(230);
        expect(name).not.toMatch(
          /[/\\:*?"<>|\p{Cc}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2060-\u206f]|^[. ]|\.\.$/u,
        );
      }
    }),
  );
});
