import { hash } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  createQrCode,
  createReceiptQrCode,
  formatQrCodePath,
  formatQrCodeText,
  type QrCode,
} from '../../../src/domain/qr-code/index.ts';

const SIZE = 33;
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:';

/** Multiplies in the field GF(256), bit by bit. */
function multiply(a: number, b: number): number {
  let product = 0;
  for (let bit = 7; bit >= 0; bit--) {
    product = (product << 1) ^ (product & 128 ? 0x11d : 0);
    if ((b >> bit) & 1) product ^= a;
  }
  return product;
}

const isMasked = (mask: number, row: number, column: number): boolean =>
  [
    (row + column) % 2,
    row % 2,
    column % 3,
    (row + column) % 3,
    ((row >> 1) + Math.trunc(column / 3)) % 2,
    ((row * column) % 2) + ((row * column) % 3),
    (((row * column) % 2) + ((row * column) % 3)) % 2,
    (((row + column) % 2) + ((row * column) % 3)) % 2,
  ][mask] === 0;

/** True for finders with separators and format, timing, and the alignment pattern of version 4. */
const isFunctionModule = (row: number, column: number): boolean =>
  (row < 9 && column < 9) ||
  (row < 9 && column > 24) ||
  (row > 24 && column < 9) ||
  row === 6 ||
  column === 6 ||
  (Math.abs(row - 26) < 3 && Math.abs(column - 26) < 3);

/** Reads a QR code by the rules of ISO/IEC 18004 for version 4-M. Throws if an error correction code does not match. */
function readQrCode(code: QrCode): string {
  const format = [0, 1, 2, 3, 4, 5, 7, 8].map((column) => Number(code[8]![column])).join('');
  const level = Number.parseInt(format.slice(0, 5), 2) ^ 0b10101;
  expect(level >> 3).toBe(0);
  const bits: number[] = [];
  const pairs = [32, 30, 28, 26, 24, 22, 20, 18, 16, 14, 12, 10, 8, 5, 3, 1];
  for (const [index, right] of pairs.entries())
    for (let step = 0; step < SIZE; step++)
      for (const column of [right, right - 1]) {
        const row = index % 2 === 0 ? SIZE - 1 - step : step;
        if (!isFunctionModule(row, column))
          bits.push(Number(code[row]![column]! !== isMasked(level & 7, row, column)));
      }
  const bytes = Array.from({ length: 100 }, (_, at) =>
    Number.parseInt(bits.slice(at * 8, at * 8 + 8).join(''), 2),
  );
  const blocks = [0, 1].map((block) => bytes.filter((_, at) => at % 2 === block));
  for (const block of blocks)
    for (let root = 1, power = 0; power < 18; power++, root = multiply(root, 2))
      expect(block.reduce((sum, byte) => multiply(sum, root) ^ byte, 0)).toBe(0);
  const data = blocks.flatMap((block) => block.slice(0, 32)).map((byte) => byte.toString(2).padStart(8, '0'));
  const stream = data.join('');
  expect(stream.slice(0, 4)).toBe('0010');
  const length = Number.parseInt(stream.slice(4, 13), 2);
  let text = '';
  for (let at = 13; text.length < length; at += 11) {
    const isLast = text.length === length - 1;
    const value = Number.parseInt(stream.slice(at, at + (isLast ? 6 : 11)), 2);
    text += isLast ? ALPHABET[value] : ALPHABET[Math.trunc(value / 45)]! + ALPHABET[value % 45];
  }
  return text;
}

it('contains the text, with error correction', () => {
  const text = fc.string({ unit: fc.constantFrom(...ALPHABET), maxLength: 90 });
  fc.assert(
    fc.property(text, (each) => {
      expect(readQrCode(createQrCode(each))).toBe(each);
    }),
  );
});

it('contains a receipt in capital letters', () => {
  const receipt = hash('sha256', 'a receipt', 'hex');
  expect(readQrCode(createReceiptQrCode(receipt))).toBe(receipt.toUpperCase());
});

it('refuses text that does not fit', () => {
  expect(() => createQrCode('A'.repeat(91))).toThrow(RangeError);
  expect(() => createQrCode('lower case')).toThrow(RangeError);
});

it('is drawn as text and as a path with the same modules', () => {
  const code = createReceiptQrCode('0d'.repeat(32));
  const lines = formatQrCodeText(code);
  const drawn = lines.flatMap((line) => [
    [...line].map((each) => each === ' ' || each === '▄'),
    [...line].map((each) => each === ' ' || each === '▀'),
  ]);
  const inner = drawn.slice(2, 2 + SIZE).map((row) => row.slice(2, 2 + SIZE));
  expect(inner).toEqual(code);
  const dark = [...formatQrCodePath(code).matchAll(/M(\d+) (\d+)h/g)].map(
    ([, x, y]) => `${+x! - 4} ${+y! - 4}`,
  );
  const expected = code.flatMap((cells, y) => cells.flatMap((isDark, x) => (isDark ? [`${x} ${y}`] : [])));
  expect(dark).toEqual(expected);
});
