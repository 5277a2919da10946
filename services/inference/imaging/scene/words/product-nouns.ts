/**
 * Nouns of seven languages for what is worn or carried, or holds what is sold, as `normalizeWord` has them; the scene has no drawing of it.
 * A theme that begins with one is about that product, also before a comma.
 */

import { normalizeWord } from "./languages.ts";
import { wordSet } from "./word-set.ts";

/** Products of no cloth. */
export const hardGoods = wordSet(
  "watch ring rings bracelet earring earrings mug mugs tumbler planter coaster coasters bottle bottles can cans tin tube keychain " +
    "armbanduhr armband ohrringe flasche dose bague bouteille flacon reloj anillo collar pulsera pendientes botella frasco " +
    "orologio anello bracciale orecchini bottiglia flacone oorbellen fles zegarek bransoletka kolczyki butelka",
);
const productNouns: ReadonlySet<string> = new Set([
  ...hardGoods,
  ...wordSet(
    "bag handbag tote purse wallet clutch belt shoe shoes boot sneaker sneakers sandal sandals heels loafers shirt tshirt blouse dress " +
      "skirt jacket coat sweater hoodie pants trousers jeans leggings shorts scarf gloves socks tie apron pillowcase pouch sachet strap cardholder " +
      "tasche handtasche lederhandtasche ledertasche geldborse gurtel schuhe stiefel turnschuhe sandalen hemd bluse kleid jacke pullover hose " +
      "schal handschuhe socken hulle " +
      "sac portefeuille ceinture chaussures chaussure bottes sandales chemise robe jupe veste manteau pull pantalon echarpe gants etui coque " +
      "bolso bolsa cartera cinturon zapatos zapatillas botas sandalias camisa vestido falda chaqueta abrigo pantalones bufanda guantes funda " +
      "borsa portafoglio cintura scarpe stivali sandali camicia vestito gonna giacca cappotto maglione pantaloni sciarpa guanti custodia " +
      "tas handtas portemonnee riem schoenen laarzen overhemd jurk rok jas trui broek sjaal handschoenen hoes " +
      "torebka torba portfel pasek buty botki sandaly koszula sukienka spodnica kurtka plaszcz sweter spodnie szalik rekawiczki",
  ),
]);

/** @param word a normalized one */
export const isProductNoun = (word: string): boolean => productNouns.has(word);

/**
 * Words of the lexicon for drawn things that are sold, and seldom stand beside what is sold. A theme that begins with one and says where it
 * is, "toaster on a kitchen counter", is about that product: a second one beside it would spoil the picture.
 */
export const drawnGoods = wordSet(
  "sunglasses backpack rucksack laptop computer camera headphone headset perfume lipstick suitcase luggage toaster kettle microwave blender " +
    "standmixer kitchenmixer foodprocessor kitchenscale weighingscale espressomachine coffeemachine espressomaker teapot yogamat gymmat " +
    "dumbbell barbell kettlebell skateboard guitar ukulele violin accordion saxophone radio typewriter keyboard gamepad gamecontroller " +
    "monitor projector microphone binoculars telescope toolbox boots wellingtons rainboot hikingboot cowboyboot cowboyboots hardhat " +
    "pocketwatch fountainpen pen ballpoint necklace jewelry babybottle babyshoe babybootie stroller babystroller babycarriage pram petbowl " +
    "dogbowl catbowl dogbed petbed boxinggloves wateringcan tablelamp lampshade desklamp sewingmachine scooter vespa moped tricycle " +
    "bicycle bike armchair sofa couch chair loungechair officechair deskchair swivelchair wickerchair rattanchair peacockchair eggchair " +
    "hangingchair swingchair barstool counterstool stool footstool pouf pouffe beanbag ottoman sunlounger lounger floorlamp standardlamp " +
    "standinglamp sideboard credenza lowboard dresser wardrobe armoire consoletable dressingtable vanitytable mattress boxspring crib babycot " +
    "babybed rockinghorse dollhouse fishtank cattree scratchingpost birdfeeder birdhouse nestingbox grill barbecue kettlegrill wheelbarrow " +
    "lawnmower washingmachine washer fridge refrigerator freezer gramophone recordplayer turntable djdeck amplifier guitaramp loudspeaker " +
    "trumpet drum surfboard sled sledge treadmill weightbench punchingbag football soccerball basketball volleyball tennisball teddy teddybear " +
    "bunnyplush toycar toytrain toyrobot puzzle jigsaw snowglobe matryoshka strawhat sunhat beachbag strawbag beachball poolring swimring " +
    "coolerbox engagementring weddingring microscope",
);

/** What products are made of, and seldom put into. */
export const worn = wordSet("leather metal metallic steel brass bronze copper chrome titanium aluminium aluminum");
/** Products of cloth are made of it; others are put into it. */
export const cloths = wordSet(
  "linen fabric cloth cotton muslin lace silk silken satin velvet wool denim canvas felt fur boucle brocade",
);

/** Whether it is a Polish adjective of a material, which is behind a noun, too: "torebka skórzana". */
export const isMaterialAdjective = (word: string): boolean => /([bcdgikmnrtz]a?n|ow)[yae]$/.test(normalizeWord(word));
