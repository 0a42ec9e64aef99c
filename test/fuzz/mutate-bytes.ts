import fc from 'fast-check';

/** Options for each property: 1,000 cases in a normal run, more with TIEOUT_FUZZ_RUNS. */
export const RUN_OPTIONS = { numRuns: Number(process.env['TIEOUT_FUZZ_RUNS'] ?? 1000) };

/** Time limit in milliseconds for all cases of a property. */
export const PROPERTY_TIMEOUT_MS = Math.max(60_000, RUN_OPTIONS.numRuns * 20);

const PUNCTUATION = [...'{}[]",:\\<>&;%+=-'];
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
const TOKENS = [...PUNCTUATION, ...JSON_WORDS, ...XML_WORDS, ...XML_MORE, ...FORM_WORDS, ...BYTES];

type ByteEdit = (bytes: Buffer) => Buffer;

const anyPosition = fc.nat({ max: 1_000_000 });
const clampPosition = (at: number, bytes: Buffer) => at % (bytes.length + 1);

/** Replaces `length` bytes at a position with other bytes. */
function replaceBytes(bytes: Buffer, at: number, length: number, inserted: Uint8Array): Buffer {
  const from = clampPosition(at, bytes);
  return Buffer.concat([bytes.subarray(0, from), inserted, bytes.subarray(from + length)]);
}

const truncateBytes =
  (at: number): ByteEdit =>
  (bytes) =>
    bytes.subarray(0, clampPosition(at, bytes));
const removeBytes =
  ([at, length]: [number, number]): ByteEdit =>
  (bytes) =>
    replaceBytes(bytes, at, length, Buffer.alloc(0));
const overwriteBytes =
  ([at, byte]: [number, number]): ByteEdit =>
  (bytes) =>
    replaceBytes(bytes, at, 1, Buffer.from([byte]));
const insertToken =
  ([at, token]: [number, string]): ByteEdit =>
  (bytes) =>
    replaceBytes(bytes, at, 0, Buffer.from(token));
const copyBytes =
  ([source, target, length]: [number, number, number]): ByteEdit =>
  (bytes) => {
    const from = clampPosition(source, bytes);
    return replaceBytes(bytes, target, 0, bytes.subarray(from, from + length));
  };

const anyEdit: fc.Arbitrary<ByteEdit> = fc.oneof(
  anyPosition.map(truncateBytes),
  fc.tuple(anyPosition, fc.nat(40)).map(removeBytes),
  fc.tuple(anyPosition, fc.nat(255)).map(overwriteBytes),
  fc.tuple(anyPosition, fc.constantFrom(...TOKENS)).map(insertToken),
  fc.tuple(anyPosition, anyPosition, fc.nat(200)).map(copyBytes),
);

/** Generates the text’s bytes with one to six random changes. */
export function mutateBytes(text: string | Uint8Array): fc.Arbitrary<Buffer> {
  return fc
    .array(anyEdit, { minLength: 1, maxLength: 6 })
    .map((each) => each.reduce<Buffer>((bytes, edit) => edit(bytes), Buffer.from(text)));
}

/**
 * Runs a function, expects it to use less than one second of this thread’s CPU time, and returns its result. Other load
 * on the machine does not count.
 */
export function expectWithinOneSecond<T>(run: () => T): T {
  const before = process.threadCpuUsage();
  const result = run();
  const { user, system } = process.threadCpuUsage(before);
  if (user + system > 1_000_000) throw new Error(`took ${(user + system) / 1000} ms`);
  return result;
}
