/** Named themes for clients to choose from. Their pictures are in `services/api/features/themes/pictures/`. */

export interface NamedTheme {
  readonly id: string;
  readonly title: string;
  /** For the parameter `theme` of ai-bg. */
  readonly theme: string;
}

/** Seed of the pictures. */
export const themePictureSeed = 7;

const rows: readonly (readonly [id: string, title: string, theme: string])[] = [
  ["white-studio", "White studio", "white studio"],
  ["warm-studio", "Warm studio", "beige studio, warm"],
  ["sage-studio", "Sage studio", "sage studio"],
  ["blush-podium", "Blush podium", "blush podium, blush studio"],
  ["white-podium", "White podium", "white podium, sky blue studio"],
  ["pastel-shapes", "Pastel shapes", "pastel podium with geometric shapes"],
  ["terracotta-arch", "Terracotta arch", "terracotta arch, beige plinth, warm"],
  ["peach-arch", "Peach arch", "arch, peach studio"],
  ["marble-podium", "Marble podium", "marble podium, beige wall, window light"],
  ["black-podium", "Black podium", "black podium, dark studio, dramatic light"],
  ["gold-podium", "Gold podium", "gold podium, burgundy wall, dramatic light"],
  ["velvet-curtain", "Velvet curtain", "emerald velvet curtain, brass podium"],
  ["sheer-curtain", "Sheer curtain", "white curtain, white marble, morning light"],
  ["wood-podium", "Wood podium", "oak podium, plants, cream wall"],
  ["concrete-steps", "Concrete steps", "concrete steps, gray studio"],
  ["oak-shelf", "Oak shelf", "oak shelf, olive wall"],
  ["oak-morning", "Oak table, morning", "oak table, morning light"],
  ["walnut-evening", "Walnut, evening", "walnut table, living room, candlelight"],
  ["kitchen", "Kitchen", "white marble kitchen counter, window light"],
  ["concrete-kitchen", "Concrete kitchen", "concrete kitchen, evening light"],
  ["bathroom", "Bathroom", "bathroom, tiles, soft light"],
  ["spa", "Spa", "spa, candles, pebbles"],
  ["bedroom", "Bedroom", "bedroom, linen, morning light"],
  ["nursery", "Nursery", "nursery, blush wall, birch"],
  ["office", "Office", "office desk, daylight"],
  ["lobby", "Hotel lobby", "luxury hotel lobby"],
  ["bar", "Bar", "bar, dark wood"],
  ["boutique", "Boutique", "boutique, terrazzo"],
  ["brick-loft", "Brick loft", "brick wall, old wood"],
  ["rose-petals", "Rose petals", "rose petals, white marble, soft light"],
  ["water-drops", "Water drops", "water drops, dark slate"],
  ["forest", "Forest", "forest, moss"],
  ["garden-table", "Garden table", "garden, wooden table"],
  ["meadow", "Meadow", "field, grass, golden hour"],
  ["beach", "Beach", "beach, golden hour"],
  ["pier", "Pier at noon", "pier, sunny"],
  ["dunes", "Dunes at sunset", "dunes, sunset"],
  ["mountains", "Mountains", "mountains, stone, morning"],
  ["snowfall", "Snowfall", "winter, spruce podium, snowfall"],
  ["city-night", "City at night", "city street, night"],
];

export const namedThemes: readonly NamedTheme[] = rows.map(([id, title, theme]) => ({ id, title, theme }));
