import type { IncomingMessage } from 'node:http';
import { parseXmlBody, RefusedRequestBodyError } from './parse-xml-body.ts';
import type { WireFormat } from './reply.ts';

/** Maximum size of a request body in bytes. Larger bodies are rejected. */
const MAX_BODY_BYTES = 4 * 1024 * 1024;

export async function readRequestBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += (chunk as Buffer).length;
    if (size > MAX_BODY_BYTES) throw new RefusedRequestBodyError(413, 'Request: is too large.');
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks);
}

/** Decodes a POST body by its content type or, without one, by the suffix of the path. */
export function decodeRequestBody(body: Buffer, contentType: string, format: WireFormat): unknown {
  const type = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (type === 'application/json' || (type === '' && format === 'json')) return decodeJson(body);
  if (type === 'application/xml' || type === 'text/xml' || (type === '' && format === 'xml')) {
    return parseXmlBody(body.toString('utf8'));
  }
  throw new RefusedRequestBodyError(415, 'Request: must be JSON or XML.');
}

function decodeJson(body: Buffer): unknown {
  if (body.length === 0) return {};
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    throw new RefusedRequestBodyError(400, 'Request: is not well-formed JSON.');
  }
}
