import fc from 'fast-check';

/** Number of cases per property: 1,000 in a normal run, more with TIEOUT_FUZZ_RUNS. */
export const RUNS = { numRuns: Number(process.env['TIEOUT_FUZZ_RUNS'] ?? 1000) };

/** Time limit for all cases of a property. */
export const TIME = Math.max(60_000, RUNS.numRuns * 20);

const MARKS = [...'{}[]",:\\<>&;%+=-'];
const JSON_WORDS = [
  'null',
  'true',
  '1e999',
  '12345678901234567890',
  '0.1',
  '\\u0000',
  '\\ud800',
  '"id":',
  '"webhook":',
];
const XML_WORDS = [
  '</',
  '/>',
  '&#0;',
  '&#x110000;',
  '&amp;',
  '<!--',
  '-->',
  '<![CDATA[',
  ']]>',
  '<?',
  '?>',
  '<id>',
  '</id>',
];
const XML_MORE = [
  '<!DOCTYPE x>',
  ' type="array"',
  ' nil="true"',
  ' type="integer"',
  '<webhook>',
  '</webhook>',
];
const FORM_WORDS = ['%2', '%zz', '%C3', '[]', '[0]', '[a][b]', '__proto__'];
const BYTES = ['\0', '\ufeff', '\r\n', '𝔘'];
const TOKENS = [...MARKS, ...JSON_WORDS, ...XML_WORDS, ...XML_MORE, ...FORM_WORDS, ...BYTES];

type Edit = (bytes: Buffer) => Buffer;

const spot = fc.nat({ max: 1_000_000 });
const within = (at: number, bytes: Buffer) => at % (bytes.length + 1);

/** Replaces `length` bytes at a position with other bytes. */
function replaceBytes(bytes: Buffer, at: number, length: number, inserted: Uint8Array): Buffer {
  const from = within(at, bytes);
  return Buffer.concat([bytes.subarray(0, from), inserted, bytes.subarray(from + length)]);
}

const cutShort =
  (at: number): Edit =>
  (bytes) =>
    bytes.subarray(0, within(at, bytes));
const takenOut =
  ([at, length]: [number, number]): Edit =>
  (bytes) =>
    replaceBytes(bytes, at, length, Buffer.alloc(0));
const overwritten =
  ([at, byte]: [number, number]): Edit =>
  (bytes) =>
    replaceBytes(bytes, at, 1, Buffer.from([byte]));
const putIn =
  ([at, token]: [number, string]): Edit =>
  (bytes) =>
    replaceBytes(bytes, at, 0, Buffer.from(token));
const copied =
  ([source, target, length]: [number, number, number]): Edit =>
  (bytes) => {
    const from = within(source, bytes);
    return replaceBytes(bytes, target, 0, bytes.subarray(from, from + length));
  };

const edits: fc.Arbitrary<Edit> = fc.oneof(
  spot.map(cutShort),
  fc.tuple(spot, fc.nat(40)).map(takenOut),
  fc.tuple(spot, fc.nat(255)).map(overwritten),
  fc.tuple(spot, fc.constantFrom(...TOKENS)).map(putIn),
  fc.tuple(spot, spot, fc.nat(200)).map(copied),
);

/** Applies one to six changes to the bytes of the text. */
export function mutateBytes(text: string | Uint8Array): fc.Arbitrary<Buffer> {
  return fc
    .array(edits, { minLength: 1, maxLength: 6 })
    .map((each) => each.reduce<Buffer>((bytes, edit) => edit(bytes), Buffer.from(text)));
}

/**
 * Returns the result of a run and expects it to use less than one second of this thread's CPU time, which other load does
 * not lengthen.
 */
export function expectWithinOneSecond<T>(run: () => T): T {
  const before = process.threadCpuUsage();
  const result = run();
  const { user, system } = process.threadCpuUsage(before);
  if (user + system > 1_000_000) throw new Error(`took ${(user + system) / 1000} ms`);
  return result;
}
