import { type FileBytes, headOf, inMemory } from './bytes.ts';
import { textOf } from './encoding.ts';
import type { FileFormat } from './file.ts';

/** Detected format of a file, or the reason why it is not read. */
export type Detected = { readonly format: FileFormat } | { readonly refusal: string };

const HEAD = 64_000;

/** Detects the format from the first bytes and words, never from the file's name. */
export function detect(file: FileBytes): Detected {
  const bytes = headOf(file, HEAD);
  const signature = signatureOf(bytes);
  if (signature !== null) return signature;
  const head = textOf(inMemory(bytes))
    .head(HEAD)
    .replace(/^[\ufeff\s]+/, '');
  if (head === '') return { refusal: 'The file is empty.' };
  if (head.includes('\0')) return { refusal: 'The file is neither text nor a workbook.' };
  const start = head.slice(0, 4000);
  if (/<OFX[\s>]/i.test(start) || /^(?:OFXHEADER|<\?OFX)/i.test(start)) return { format: 'ofx' };
  if (/^(?:<!doctype html|<html)/i.test(start)) {
    return {
      refusal: 'The file is a web page: the bank may have sent its log-in page instead of the export.',
    };
  }
  if (start.startsWith('<')) {
    if (/BkToCstmr|camt\.05[234]/.test(start)) return { format: 'camt' };
    return { refusal: 'The file is XML, but neither CAMT nor OFX.' };
  }
  if (/^!(?:Type|Account|Option|Clear)\b/i.test(start)) return { format: 'qif' };
  if (/^\{1:/.test(start) || (/^:20:/m.test(head) && /^:(?:25|28C?|60[FM]):/m.test(head))) {
    return { format: 'mt940' };
  }
  if (/^[{[]/.test(start)) return { refusal: 'The file is JSON, which no bank statement is read from.' };
  return { format: 'csv' };
}

function signatureOf(bytes: Uint8Array): Detected | null {
  const begins = (...signature: number[]) => signature.every((byte, at) => bytes[at] === byte);
  if (bytes.length === 0) return { refusal: 'The file is empty.' };
  if (begins(0x50, 0x4b, 0x03, 0x04) || begins(0x50, 0x4b, 0x05, 0x06)) return { format: 'xlsx' };
  if (begins(0xd0, 0xcf, 0x11, 0xe0)) {
    return {
      refusal:
        'The workbook has a password, or is of the format before 2007 (.xls): save it as .xlsx without a password.',
    };
  }
  if (begins(0x25, 0x50, 0x44, 0x46)) {
    return {
      refusal: 'The file is a PDF: ask the bank for an export of the lines (CSV, OFX, CAMT or MT940).',
    };
  }
  if (begins(0x1f, 0x8b)) return { refusal: 'The file is compressed (gzip): unpack it first.' };
  return null;
}
