/**
 * Names of brands and products that are words of the lexicon: "samsung galaxy" is no night sky, and "old spice" no spice. They shape
 * nothing.
 */

const names = `
apple watch, apple pencil, apple iphone, apple airpods, apple macbook, apple music, apple ipad, apple tv
samsung galaxy, galaxy phone, galaxy watch, galaxy buds, galaxy tab, all star, all stars, star wars, hot wheels
old spice, red bull, tiger balm, grey goose, body shop, the body shop, bath body works, bath and body works, burt s bees, burts bees
acqua di gio, acqua di parma, terre d hermes, black opium, stone island, ocean spray, stanley cup, moon boot, moon boots
tea tree, tea tree oil, sea moss, sea moss gel, rose hip, rose hip oil, fish oil, grape seed oil, wine opener, garlic press
lemon squeezer, rice cooker, pizza cutter, cookie cutter, cake topper, magic wand, sand paper
`;

export const productPhrases: Readonly<Record<string, string>> = Object.fromEntries(
  names
    .trim()
    .split(/[,\n]/)
    .map((name) => [name.trim(), "stop"] as const),
);
