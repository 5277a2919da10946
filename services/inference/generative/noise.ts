/**
 * Gaussian noise by a counter: the value at an index depends on the seed, the stream and the index alone, so that the same
 * seed gives the same latents on every machine, in any order and in parts.
 *
 * The counter goes through Philox4x32-10 (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", 2011). Each of its
 * words becomes one normal value by the inverse of the normal distribution (Wichura, AS 241). It takes no function of
 * `Math` but the square root: IEEE 754 defines + − × ÷ √ to the bit, and leaves logarithms and cosines to each library.
 */

export interface NoiseSource {
  /** 0 to 2⁵³ − 1. */
  readonly seed: number;
  /** Which noise of a picture: 0 for the first latents, 1 and on for what samplers add after each step. */
  readonly stream: number;
}

export function gaussianNoise(source: NoiseSource, count: number): Float32Array {
  const noise = new Float32Array(count);
  const key = [source.seed >>> 0, Math.floor(source.seed / 2 ** 32) >>> 0] as const;
  for (let at = 0; at < count; at += 4) {
    const words = philox([at / 4, 0, source.stream, 0], key);
    for (let lane = 0; lane < 4 && at + lane < count; lane++) {
      noise[at + lane] = normalQuantile((words[lane]! + 0.5) / 2 ** 32);
    }
  }
  return noise;
}

type Words = readonly [number, number, number, number];

const multiplier0 = 0xd2511f53;
const multiplier1 = 0xcd9e8d57;
const weyl0 = 0x9e3779b9;
const weyl1 = 0xbb67ae85;
const rounds = 10;

/** Philox4x32-10: four unsigned words of a counter and a key. */
export function philox(counter: Words, key: readonly [number, number]): Words {
  let [a, b, c, d] = counter;
  let [key0, key1] = key;
  for (let round = 0; round < rounds; round++) {
    const high0 = highProduct(multiplier0, a);
    const low0 = Math.imul(multiplier0, a) >>> 0;
    const high1 = highProduct(multiplier1, c);
    const low1 = Math.imul(multiplier1, c) >>> 0;
    [a, b, c, d] = [(high1 ^ b ^ key0) >>> 0, low1, (high0 ^ d ^ key1) >>> 0, low0];
    key0 = (key0 + weyl0) >>> 0;
    key1 = (key1 + weyl1) >>> 0;
  }
  return [a, b, c, d];
}

/** The upper 32 bits of a product of two unsigned words, of which a double holds no more than 53. */
function highProduct(left: number, right: number): number {
  const leftHigh = left >>> 16;
  const leftLow = left & 0xffff;
  const rightHigh = right >>> 16;
  const rightLow = right & 0xffff;
  const middle = leftHigh * rightLow + ((leftLow * rightLow) >>> 16);
  const carried = leftLow * rightHigh + (middle & 0xffff);
  return (leftHigh * rightHigh + Math.floor(middle / 2 ** 16) + Math.floor(carried / 2 ** 16)) >>> 0;
}

/** Numerator and denominator of AS 241's rational functions, the constant first. */
const central = [
  [
    3.3871328727963665, 133.14166789178438, 1971.5909503065513, 13731.69376550946, 45921.95393154987, 67265.7709270087,
    33430.57558358813, 2509.0809287301227,
  ],
  [
    1, 42.31333070160091, 687.1870074920579, 5394.196021424751, 21213.794301586597, 39307.89580009271,
    28729.085735721943, 5226.495278852854,
  ],
] as const;
const near = [
  [
    1.4234371107496835, 4.630337846156546, 5.769497221460691, 3.6478483247632045, 1.2704582524523684,
    0.2417807251774506, 0.022723844989269184, 0.0007745450142783414,
  ],
  [
    1, 2.053191626637759, 1.6763848301838038, 0.6897673349851, 0.14810397642748008, 0.015198666563616457,
    0.0005475938084995344, 1.0507500716444169e-9,
  ],
] as const;
const far = [
  [
    6.657904643501103, 5.463784911164114, 1.7848265399172913, 0.29656057182850487, 0.026532189526576124,
    0.0012426609473880784, 2.7115555687434876e-5, 2.0103343992922881e-7,
  ],
  [
    1, 0.599832206555888, 0.1369298809227358, 0.014875361290850615, 0.0007868691311456133, 1.8463183175100548e-5,
    1.421511758316446e-7, 2.0442631033899397e-15,
  ],
] as const;
/** A term more changes no double: the argument of the series is at most .172. */
const logTerms = 12;

/** The value below which a standard normal variable is with this probability, which lies between 0 and 1. */
export function normalQuantile(probability: number): number {
  const distance = probability - 0.5;
  if (Math.abs(distance) <= 0.425) return distance * ratio(central, 0.180625 - distance * distance);
  const tail = Math.sqrt(-logarithm(distance < 0 ? probability : 1 - probability));
  const value = tail <= 5 ? ratio(near, tail - 1.6) : ratio(far, tail - 5);
  return distance < 0 ? -value : value;
}

function ratio([above, below]: readonly [readonly number[], readonly number[]], x: number): number {
  return polynomial(above, x) / polynomial(below, x);
}

function polynomial(coefficients: readonly number[], x: number): number {
  let sum = 0;
  for (let power = coefficients.length - 1; power >= 0; power--) sum = sum * x + coefficients[power]!;
  return sum;
}

/** The natural logarithm of a number between 0 and 1, which is halved and doubled to near 1: both are exact. */
function logarithm(x: number): number {
  let mantissa = x;
  let exponent = 0;
  while (mantissa < Math.SQRT1_2) {
    mantissa *= 2;
    exponent -= 1;
  }
  const s = (mantissa - 1) / (mantissa + 1);
  let sum = 0;
  for (let term = logTerms; term >= 0; term--) sum = sum * s * s + 1 / (2 * term + 1);
  return 2 * s * sum + exponent * Math.LN2;
}
