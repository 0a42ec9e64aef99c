import { computeErrorCorrection } from './reed-solomon.ts';

/** Modules per side of a QR code of version 4, the smallest one with room for 64 characters at level M. */
export const QR_CODE_SIZE = 33;
const DATA_BYTES = 64;
const BLOCKS = 2;
const CORRECTION_BYTES_PER_BLOCK = 18;
/** Maximum number of characters that fit: 13 bits of header, and 11 bits per pair of characters. */
const MAX_CHARACTERS = 90;
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:';

/** Rows of modules; true is dark. */
export type QrCode = readonly (readonly boolean[])[];
type Modules = boolean[][];

const masks: readonly ((row: number, column: number) => boolean)[] = [
  (row, column) => (row + column) % 2 === 0,
  (row) => row % 2 === 0,
  (_, column) => column % 3 === 0,
  (row, column) => (row + column) % 3 === 0,
  (row, column) => (Math.floor(row / 2) + Math.floor(column / 3)) % 2 === 0,
  (row, column) => ((row * column) % 2) + ((row * column) % 3) === 0,
  (row, column) => (((row * column) % 2) + ((row * column) % 3)) % 2 === 0,
  (row, column) => (((row + column) % 2) + ((row * column) % 3)) % 2 === 0,
];

/**
 * Returns a QR code (ISO/IEC 18004, version 4-M) of digits, capital letters and ` $%*+-./:`. The code remains readable
 * if up to 15% of it is damaged. Throws a RangeError for longer text or other characters.
 */
export function createQrCode(text: string): QrCode {
  const bits = interleaveBlocks(encodeText(text)).flatMap((byte) => toBits(byte, 8));
  const isReserved = drawFunctionPatterns().reserved;
  const candidates = masks.map((mask, index) => {
    const { modules } = drawFunctionPatterns();
    drawData(modules, isReserved, bits);
    for (const [row, cells] of modules.entries())
      for (const column of cells.keys())
        if (!isReserved[row]![column]! && mask(row, column)) cells[column] = !cells[column]!;
    drawFormat(modules, index);
    return modules;
  });
  return candidates.reduce((best, each) => (computePenalty(each) < computePenalty(best) ? each : best));
}

const toBits = (value: number, count: number): number[] =>
  Array.from({ length: count }, (_, at) => (value >> (count - 1 - at)) & 1);

/** Returns the data bytes of a text in alphanumeric mode, padded. */
function encodeText(text: string): number[] {
  const values = [...text].map((character) => ALPHABET.indexOf(character));
  if (values.includes(-1)) throw new RangeError(`A QR code cannot contain “${text}” in alphanumeric mode.`);
  if (values.length > MAX_CHARACTERS) throw new RangeError(`A QR code holds ${MAX_CHARACTERS} characters.`);
  const bits = [...toBits(0b0010, 4), ...toBits(values.length, 9)];
  for (let at = 0; at < values.length; at += 2) {
    const [first = 0, second] = values.slice(at, at + 2);
    bits.push(...(second === undefined ? toBits(first, 6) : toBits(first * 45 + second, 11)));
  }
  bits.push(...new Array<number>(Math.min(4, DATA_BYTES * 8 - bits.length)).fill(0));
  while (bits.length % 8 !== 0) bits.push(0);
  const bytes: number[] = [];
  for (let at = 0; at < bits.length; at += 8)
    bytes.push(bits.slice(at, at + 8).reduce((byte, bit) => byte * 2 + bit, 0));
  for (let pad = 0xec; bytes.length < DATA_BYTES; pad ^= 0xec ^ 0x11) bytes.push(pad);
  return bytes;
}

/** Splits the data into blocks and returns their bytes and error correction bytes, interleaved. */
function interleaveBlocks(data: readonly number[]): number[] {
  const length = DATA_BYTES / BLOCKS;
  const blocks = Array.from({ length: BLOCKS }, (_, at) => data.slice(at * length, (at + 1) * length));
  const corrections = blocks.map((block) => computeErrorCorrection(block, CORRECTION_BYTES_PER_BLOCK));
  const interleave = (rows: readonly number[][]) => rows[0]!.flatMap((_, at) => rows.map((row) => row[at]!));
  return [...interleave(blocks), ...interleave(corrections)];
}

/** Draws the finder, alignment and timing patterns. Returns them with the modules that data must not use. */
function drawFunctionPatterns(): { modules: Modules; reserved: Modules } {
  const createGrid = (): Modules =>
    Array.from({ length: QR_CODE_SIZE }, () => new Array<boolean>(QR_CODE_SIZE).fill(false));
  const [modules, reserved] = [createGrid(), createGrid()];
  const draw = (row: number, column: number, isDark: boolean) => {
    if (row < 0 || column < 0 || row >= QR_CODE_SIZE || column >= QR_CODE_SIZE) return;
    modules[row]![column] = isDark;
    reserved[row]![column] = true;
  };
  const drawSquares = (centerRow: number, centerColumn: number, radius: number, lightRing: number) => {
    for (let row = -radius; row <= radius; row++)
      for (let column = -radius; column <= radius; column++) {
        const ring = Math.max(Math.abs(row), Math.abs(column));
        draw(centerRow + row, centerColumn + column, ring !== lightRing && ring !== 4);
      }
  };
  const last = QR_CODE_SIZE - 1;
  for (let at = 0; at < QR_CODE_SIZE; at++) {
    draw(6, at, at % 2 === 0);
    draw(at, 6, at % 2 === 0);
  }
  for (const [row, column] of [
    [3, 3],
    [3, last - 3],
    [last - 3, 3],
  ] as const)
    drawSquares(row, column, 4, 2);
  drawSquares(26, 26, 2, 1);
  for (let at = 0; at < 9; at++)
    for (const [row, column] of [
      [8, at],
      [at, 8],
    ] as const)
      reserved[row]![column] = true;
  for (let at = 0; at < 8; at++) {
    reserved[8]![last - at] = true;
    reserved[last - at]![8] = true;
  }
  return { modules, reserved };
}

/** Draws the bits in pairs of columns from the right, alternately upwards and downwards. */
function drawData(modules: Modules, isReserved: Modules, bits: readonly number[]): void {
  let next = 0;
  let isUpwards = true;
  for (let right = QR_CODE_SIZE - 1; right > 0; right -= right === 8 ? 3 : 2) {
    for (let step = 0; step < QR_CODE_SIZE; step++) {
      const row = isUpwards ? QR_CODE_SIZE - 1 - step : step;
      for (const column of [right, right - 1])
        if (!isReserved[row]![column]!) modules[row]![column] = bits[next++] === 1;
    }
    isUpwards = !isUpwards;
  }
}

/** Draws the format information twice: error correction level M and the mask, protected by a BCH code. */
function drawFormat(modules: Modules, mask: number): void {
  let remainder = mask << 10;
  for (let bit = 14; bit >= 10; bit--) if ((remainder >> bit) & 1) remainder ^= 0b10100110111 << (bit - 10);
  const format = ((mask << 10) | remainder) ^ 0b101010000010010;
  const last = QR_CODE_SIZE - 1;
  for (let bit = 0; bit < 15; bit++) {
    const isDark = ((format >> bit) & 1) === 1;
    const row = bit < 6 ? bit : bit < 8 ? bit + 1 : last - 14 + bit;
    const column = bit < 8 ? last - bit : bit === 8 ? 7 : 14 - bit;
    modules[row]![8] = isDark;
    modules[8]![column] = isDark;
  }
  modules[last - 7]![8] = true;
}

/** Returns how hard a code is to read (ISO/IEC 18004, section 7.8.3). */
function computePenalty(modules: QrCode): number {
  const columns = modules.map((_, column) => modules.map((row) => row[column]!));
  const lines = [...modules, ...columns].map((line) => line.map(Number).join(''));
  let penalty = 0;
  for (const line of lines) {
    for (const [run] of line.matchAll(/0{5,}|1{5,}/g)) penalty += run.length - 2;
    penalty += 40 * [...line.matchAll(/(?=10111010000|00001011101)/g)].length;
  }
  for (let row = 1; row < QR_CODE_SIZE; row++)
    for (let column = 1; column < QR_CODE_SIZE; column++) {
      const square = [modules[row]!, modules[row - 1]!].flatMap((cells) => [
        cells[column],
        cells[column - 1],
      ]);
      if (square.every((isDark) => isDark === square[0])) penalty += 3;
    }
  const dark = modules.flat().filter(Boolean).length / QR_CODE_SIZE ** 2;
  return penalty + 10 * Math.floor(Math.abs(dark * 100 - 50) / 5);
}
