/** Powers of 2 and their logarithms in the field GF(256) of QR codes, with the polynomial x^8 + x^4 + x^3 + x^2 + 1. */
const powers = new Uint8Array(255);
const logarithms = new Uint8Array(256);
for (let exponent = 0, value = 1; exponent < 255; exponent++) {
  powers[exponent] = value;
  logarithms[value] = exponent;
  value = (value << 1) ^ (value >= 128 ? 0x11d : 0);
}

const multiply = (a: number, b: number): number =>
  a === 0 || b === 0 ? 0 : powers[(logarithms[a]! + logarithms[b]!) % 255]!;

/** Returns the coefficients of (x - 1)(x - 2)(x - 4)… without the leading 1, highest power first. */
function createGenerator(degree: number): number[] {
  let generator = [1];
  for (let at = 0; at < degree; at++) {
    const root = powers[at]!;
    generator = [...generator, 0].map((value, index) => value ^ multiply(generator[index - 1] ?? 0, root));
  }
  return generator.slice(1);
}

/** Returns the Reed-Solomon error correction bytes of a block (ISO/IEC 18004, section 7.5.2). */
export function computeErrorCorrection(data: readonly number[], count: number): number[] {
  const generator = createGenerator(count);
  let remainder = new Array<number>(count).fill(0);
  for (const byte of data) {
    const factor = byte ^ remainder[0]!;
    remainder = [...remainder.slice(1), 0].map((value, at) => value ^ multiply(generator[at]!, factor));
  }
  return remainder;
}
