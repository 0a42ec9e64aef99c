import { DecodedFileText } from '../text/encoding.ts';
import type { BankFileBytes } from '../text/file-bytes.ts';
import { parseBalanceLabel } from './balance-labels.ts';
import { findColumnHeaderMeanings } from './column-header-words.ts';

/** Encodings without a mark that banks still use, apart from Windows-1252. */
const ENCODINGS = [
  ...['windows-1250', 'shift_jis', 'windows-1251', 'windows-1253', 'windows-1254', 'gb18030', 'euc-kr'],
  ...['big5', 'windows-1255', 'windows-1256', 'iso-8859-2', 'ibm866'],
];
/** Number of characters that are compared. They contain the header and the first lines. */
const SAMPLE_CHARACTERS = 20_000;

/**
 * Returns the text in the encoding with which most headers and labels are known words. If several encodings are equally
 * good, returns the one with the fewest symbols inside words, and first of all Windows-1252.
 */
export function chooseLegacyEncoding(bytes: BankFileBytes, windows1252: DecodedFileText): DecodedFileText {
  let best = { text: windows1252, score: rateText(windows1252.head(SAMPLE_CHARACTERS)) };
  for (const encoding of ENCODINGS) {
    const text = new DecodedFileText(bytes, encoding);
    const sample = text.head(SAMPLE_CHARACTERS);
    if (sample.slice(0, -1).includes('\ufffd')) continue;
    const score = rateText(sample);
    if (score > best.score) best = { text, score };
  }
  return best.text;
}

/** Returns the number of known headers and labels, less a fraction for each symbol or control inside a word. */
function rateText(sample: string): number {
  const cells = new Set(
    sample
      .split(/[\r\n;,\t|"#]+/)
      .map((cell) => cell.trim())
      .filter((cell) => /[^\p{ASCII}]/u.test(cell)),
  );
  const known = [...cells].filter(
    (cell) => findColumnHeaderMeanings(cell).length > 0 || parseBalanceLabel(cell) !== null,
  );
  const symbols =
    sample.match(/\p{L}[\u0080-\u00bf\u00d7\u00f7\u2010-\u2fff]|[\u0080-\u009f]/gu)?.length ?? 0;
  return known.length - Math.min(symbols, 999) / 1000;
}
