import type { IncomingMessage } from 'node:http';
import { readXml } from './read-xml.ts';
import { Refused } from './refused.ts';
import type { Format } from './reply.ts';

/** Bodies larger than this are refused. */
const MOST = 4 * 1024 * 1024;

export async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += (chunk as Buffer).length;
    if (size > MOST) throw new Refused(413, 'Request: is too large.');
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks);
}

/** Decodes a POST's body by its content type, or by the path's suffix where it names none. */
export function decodeBody(body: Buffer, contentType: string, format: Format): unknown {
  const type = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (type === 'application/json' || (type === '' && format === 'json')) return decodeJson(body);
  if (type === 'application/xml' || type === 'text/xml' || (type === '' && format === 'xml')) {
    return readXml(body.toString('utf8'));
  }
  throw new Refused(415, 'Request: must be JSON or XML.');
}

function decodeJson(body: Buffer): unknown {
  if (body.length === 0) return {};
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    throw new Refused(400, 'Request: is not well-formed JSON.');
  }
}
