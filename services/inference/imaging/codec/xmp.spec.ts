import { expect, test } from "vitest";
import { readXmp } from "./xmp.ts";

const packetOf = (attributes: string, elements: string) =>
  `<x:xmpmeta><rdf:RDF><rdf:Description rdf:about=""${attributes}>${elements}</rdf:Description></rdf:RDF></x:xmpmeta>`;

test.each([
  [
    "an element whose name begins alike",
    packetOf(
      "",
      "<dc:rightsHolder><rdf:li>somebody</rdf:li></dc:rightsHolder><dc:rights><rdf:Alt><rdf:li>© Shop</rdf:li></rdf:Alt></dc:rights>",
    ),
    { rights: "© Shop" },
  ],
  ["only an element whose name begins alike", packetOf("", "<dc:titles><rdf:li>a</rdf:li></dc:titles>"), {}],
  [
    "an attribute whose name ends alike",
    packetOf(' old-photoshop:Credit="a" photoshop:Credit="b"', ""),
    { credit: "b" },
  ],
  ["an empty element", packetOf("", "<photoshop:Credit/><dc:title><rdf:li>Mug</rdf:li></dc:title>"), { title: "Mug" }],
  [
    "an element over two lines, and items that begin alike",
    packetOf("", '<dc:title\n xml:space="default"><rdf:list/><rdf:li xml:lang="en">Mug</rdf:li></dc:title>'),
    { title: "Mug" },
  ],
])("%s is not taken for another property", (_, packet, words) => {
  expect(readXmp(packet)).toEqual(words);
});

test("an empty item does not end a list", () => {
  const items = "<rdf:li/><rdf:li>Ann</rdf:li><rdf:li></rdf:li><rdf:li xml:lang='en' /><rdf:li>Bob</rdf:li>";
  expect(readXmp(packetOf("", `<dc:creator><rdf:Seq>${items}</rdf:Seq></dc:creator>`))).toEqual({
    creators: ["Ann", "Bob"],
  });
});
