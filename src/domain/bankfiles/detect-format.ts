import type { FileFormat } from './model/bank-file.ts';
import { decodeText } from './text/encoding.ts';
import { type BankFileBytes, readFirstBytes, toFileBytes } from './text/file-bytes.ts';

/** Detected format of a file, or the reason why the file cannot be read. */
export type DetectedFormat = { readonly format: FileFormat } | { readonly refusal: string };

const SIGNATURE_SEARCH_BYTES = 64_000;

/** Detects a file's format from its first bytes and words, never from its name. */
export function detectFormat(file: BankFileBytes): DetectedFormat {
  const bytes = readFirstBytes(file, SIGNATURE_SEARCH_BYTES);
  const signature = detectBySignature(bytes);
  if (signature !== null) return signature;
  const head = decodeText(toFileBytes(bytes))
    .head(SIGNATURE_SEARCH_BYTES)
    .replace(/^[\ufeff\s]+/, '');
  if (head === '') return { refusal: 'The file is empty.' };
  if (head.includes('\0')) return { refusal: 'The file is neither text nor a workbook.' };
  const start = head.slice(0, 4000);
  if (/<OFX[\s>]/i.test(start) || /^(?:OFXHEADER|<\?OFX)/i.test(start)) return { format: 'ofx' };
  if (/^(?:<!doctype html|<html)/i.test(start)) {
    return {
      refusal: 'The file is a web page. The bank may have sent its sign-in page instead of the export.',
    };
  }
  if (start.startsWith('<')) {
    if (/BkToCstmr|camt\.05[234]/.test(start)) return { format: 'camt' };
    return { refusal: 'The file is XML, but neither CAMT nor OFX.' };
  }
  if (/^!(?:Type|Account|Option|Clear)\b/i.test(start)) return { format: 'qif' };
  if (/^\{1:/.test(start) || (/^:20:/m.test(head) && /^:(?:25|28C?|60[FM]):/m.test(head)))
    return { format: 'mt940' };
  if (/^[{[]/.test(start)) return { refusal: 'The file is JSON. Bank statements are not read from JSON.' };
  return { format: 'csv' };
}

function detectBySignature(bytes: Uint8Array): DetectedFormat | null {
  const begins = (...signature: number[]) => signature.every((byte, at) => bytes[at] === byte);
  if (bytes.length === 0) return { refusal: 'The file is empty.' };
  if (begins(0x50, 0x4b, 0x03, 0x04) || begins(0x50, 0x4b, 0x05, 0x06)) return { format: 'xlsx' };
  if (begins(0xd0, 0xcf, 0x11, 0xe0)) {
    return {
      refusal:
        'The workbook is password-protected or in the old .xls format. Save it as .xlsx without a password.',
    };
  }
  if (begins(0x25, 0x50, 0x44, 0x46))
    return { refusal: 'The file is a PDF. Export the lines from the bank as CSV, OFX, CAMT or MT940.' };
  if (begins(0x1f, 0x8b)) return { refusal: 'The file is compressed (gzip). Unpack it first.' };
  return null;
}
