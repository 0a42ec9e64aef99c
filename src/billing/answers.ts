import { isUtf8 } from 'node:buffer';
import { gunzipSync } from 'node:zlib';
import type { Problem } from './entities.ts';
import { parseJson } from './json.ts';
import { newReading, type Reading } from './reading.ts';
import type { Headers } from './transport.ts';
import { Unreadable } from './unreadable.ts';
import type { JsonValue } from './value.ts';
import { parseXml } from './xml.ts';

export type Format = 'json' | 'xml';

/** No answer of the service comes near this size, packed or unpacked. */
export const BODY_CAP = 64 * 2 ** 20;

export interface Decoded<T> {
  value: T;
  problems: Problem[];
}

/** The body as the service wrote it, unpacked where it came packed. */
export function unpacked(bytes: Buffer, headers: Headers): Buffer {
  const encoding = headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  if (encoding === 'identity' || encoding === '') return bytes;
  if (encoding !== 'gzip' && encoding !== 'x-gzip') {
    throw new Unreadable(`is packed as ${encoding.slice(0, 40)}, which was not asked for`, false);
  }
  try {
    return gunzipSync(bytes, { maxOutputLength: BODY_CAP });
  } catch (error) {
    const tooBig = error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';
    throw new Unreadable(tooBig ? 'is more than 64 MB when unpacked' : 'is cut off or is not gzip', !tooBig);
  }
}

/** The body as text: by the charset of its content type, else of its XML declaration, else UTF-8. */
function asText(bytes: Buffer, headers: Headers, reading: Reading): string {
  const declared =
    /charset\s*=\s*"?([\w.:-]+)/i.exec(headers['content-type'] ?? '')?.[1] ??
    /^<\?xml[^>]{0,100}encoding\s*=\s*["']([\w.:-]+)/i.exec(bytes.toString('latin1', 0, 150))?.[1] ??
    'utf-8';
  const charset = declared.toLowerCase();
  if (charset === 'utf-8' || charset === 'utf8' || charset === 'us-ascii') {
    if (!isUtf8(bytes)) {
      reading.problems.push({
        place: '',
        reason: 'some bytes of the answer are not UTF-8; they are replaced by �',
        raw: '',
        row: 'kept',
      });
    }
    const text = bytes.toString('utf8');
    return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  }
  try {
    return new TextDecoder(charset, { fatal: true }).decode(bytes);
  } catch {
    throw new Unreadable(`is not readable as ${charset.slice(0, 40)}`, false);
  }
}

const WEB_PAGE = /^\s*(?:<\?xml[^>]*>\s*)?(?:<!--[^>]*-->\s*)?<(?:!doctype\s+html|html|head|body)\b/i;

/** Whether a body is a page for people instead of an answer for programs. */
export function isWebPage(bytes: Buffer): boolean {
  return WEB_PAGE.test(bytes.toString('latin1', 0, 1000));
}

function firstSign(text: string): string {
  return /\S/.exec(text)?.[0] ?? '';
}

function parsed(text: string, format: Format, type: string, exactly: boolean): JsonValue {
  const sign = firstSign(text);
  if (sign === '') throw new Unreadable('is empty', true);
  const looksXml = sign === '<';
  if (format === 'json' && looksXml) throw new Unreadable(`is XML (${type}), not JSON`, false);
  if (format === 'xml' && !looksXml)
    throw new Unreadable(`is not XML (${type})`, sign !== '{' && sign !== '[');
  return format === 'json' ? parseJson(text, exactly) : parseXml(text);
}

/**
 * Reads a whole answer: bytes to text to values to entities. What the content type says is not trusted: what counts is
 * whether the content is what was asked for. Throws Unreadable.
 */
export function decode<T>(
  packed: Buffer,
  headers: Headers,
  format: Format,
  read: (tree: JsonValue, reading: Reading) => T,
): Decoded<T> {
  const bytes = unpacked(packed, headers);
  if (bytes.length > BODY_CAP) throw new Unreadable('is more than 64 MB', false);
  if (isWebPage(bytes)) throw new Unreadable('is a web page', false);
  const type = headers['content-type']?.slice(0, 80) ?? 'no content type';

  const reading = newReading();
  const text = asText(bytes, headers, reading);
  const value = read(parsed(text, format, type, false), reading);
  if (!reading.inexact || format === 'xml') return { value, problems: reading.problems };

  const again = newReading();
  return {
    value: read(parsed(asText(bytes, headers, again), format, type, true), again),
    problems: again.problems,
  };
}
