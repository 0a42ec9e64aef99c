import { isUtf8 } from 'node:buffer';
import { hash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import type { JsonValue } from '../formats/json-value.ts';
import { parseJson } from '../formats/parse-json.ts';
import { parseXml } from '../formats/parse-xml.ts';
import { UnreadableResponseError } from '../formats/unreadable-response.ts';
import { createResponseReadContext, type ResponseReadContext } from '../records/record-reader.ts';
import type { ResponseReadProblem } from '../records/record-types.ts';
import type { ResponseHeaders } from './transport.ts';

export type BillingDataFormat = 'json' | 'xml';

/** Maximum size of a response body in bytes, compressed or decompressed. Real responses are far smaller. */
export const MAX_BODY_BYTES = 64 * 2 ** 20;

export interface DecodedBody<T> {
  value: T;
  problems: ResponseReadProblem[];
  /** SHA-256 (hex) of the decompressed body. */
  sha256: string;
}

/** Returns the response body without its content encoding. */
export function decompressBody(bytes: Buffer, headers: ResponseHeaders): Buffer {
  const encoding = headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  if (encoding === 'identity' || encoding === '') return bytes;
  if (encoding !== 'gzip' && encoding !== 'x-gzip') {
    throw new UnreadableResponseError(
      `uses the unsupported content encoding ${encoding.slice(0, 40)}`,
      false,
    );
  }
  try {
    return gunzipSync(bytes, { maxOutputLength: MAX_BODY_BYTES });
  } catch (error) {
    const tooBig = error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';
    throw new UnreadableResponseError(
      tooBig ? 'is larger than 64 MB when decompressed' : 'is truncated or is not gzip',
      !tooBig,
    );
  }
}

/** Decodes the body with the charset from the content type, then from the XML declaration. The default is UTF-8. */
function toText(bytes: Buffer, headers: ResponseHeaders, reading: ResponseReadContext): string {
  const declared =
    /charset\s*=\s*"?([\w.:-]+)/i.exec(headers['content-type'] ?? '')?.[1] ??
    /^<\?xml[^>]{0,100}encoding\s*=\s*["']([\w.:-]+)/i.exec(bytes.toString('latin1', 0, 150))?.[1] ??
    'utf-8';
  const charset = declared.toLowerCase();
  if (charset === 'utf-8' || charset === 'utf8' || charset === 'us-ascii') {
    if (!isUtf8(bytes)) {
      reading.problems.push({
        path: '',
        reason: 'some bytes of the response are not UTF-8 and were replaced by �',
        raw: '',
        outcome: 'kept',
      });
    }
    const text = bytes.toString('utf8');
    return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  }
  try {
    return new TextDecoder(charset, { fatal: true }).decode(bytes);
  } catch {
    throw new UnreadableResponseError(`cannot be decoded as ${charset.slice(0, 40)}`, false);
  }
}

const WEB_PAGE = /^\s*(?:<\?xml[^>]*>\s*)?(?:<!--[^>]*-->\s*)?<(?:!doctype\s+html|html|head|body)\b/i;

/** Returns true if a body is an HTML page rather than JSON or XML. */
export function isHtmlPage(bytes: Buffer): boolean {
  return WEB_PAGE.test(bytes.toString('latin1', 0, 1000));
}

function parseText(text: string, format: BillingDataFormat, type: string, exactly: boolean): JsonValue {
  const sign = /\S/.exec(text)?.[0] ?? '';
  if (sign === '') throw new UnreadableResponseError('is empty', true);
  const looksXml = sign === '<';
  if (format === 'json' && looksXml) throw new UnreadableResponseError(`is XML (${type}), not JSON`, false);
  if (format === 'xml' && !looksXml)
    throw new UnreadableResponseError(`is not XML (${type})`, sign !== '{' && sign !== '[');
  return format === 'json' ? parseJson(text, exactly) : parseXml(text);
}

/** Decodes a response by its content, not its declared type. Throws UnreadableResponseError. */
export function decodeResponse<T>(
  compressed: Buffer,
  headers: ResponseHeaders,
  format: BillingDataFormat,
  read: (tree: JsonValue, reading: ResponseReadContext) => T,
): DecodedBody<T> {
  const bytes = decompressBody(compressed, headers);
  if (bytes.length > MAX_BODY_BYTES) throw new UnreadableResponseError('is larger than 64 MB', false);
  if (isHtmlPage(bytes)) throw new UnreadableResponseError('is a web page', false);
  const type = headers['content-type']?.slice(0, 80) ?? 'no content type';

  const sha256 = hash('sha256', bytes, 'hex');
  const reading = createResponseReadContext();
  const text = toText(bytes, headers, reading);
  const value = read(parseText(text, format, type, false), reading);
  if (!reading.hasInexactNumber || format === 'xml') return { value, problems: reading.problems, sha256 };

  const exact = createResponseReadContext();
  const exactTree = parseText(toText(bytes, headers, exact), format, type, true);
  return { value: read(exactTree, exact), problems: exact.problems, sha256 };
}
