import { hash } from 'node:crypto';
import { createXmlArray, createXmlDocument } from './xml-writer.ts';

export type WireFormat = 'json' | 'xml' | 'pdf';

/** A response before it is encoded. */
export type ServiceReply =
  | { kind: 'entity'; status: number; name: string; value: unknown }
  | { kind: 'list'; status: number; name: string; item: string; values: readonly unknown[]; wrapped: boolean }
  | { kind: 'ids'; ids: readonly number[] }
  | { kind: 'plain'; status: number; json: unknown; xml: string }
  | { kind: 'errors'; status: number; errors: readonly string[] }
  | { kind: 'bytes'; status: number; type: string; body: Buffer }
  | { kind: 'missing' };

export const notFoundReply: ServiceReply = { kind: 'missing' };

/** Returns the response to invalid input, with its error texts (interface 7). */
export function createInvalidInputReply(...errors: string[]): ServiceReply {
  return { kind: 'errors', status: 422, errors };
}

export interface EncodedReply {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
}

const CONTENT_TYPES: Record<WireFormat, string> = {
  json: 'application/json; charset=utf-8',
  xml: 'application/xml; charset=utf-8',
  pdf: 'application/pdf',
};

export function encodeReply(reply: ServiceReply, format: WireFormat): EncodedReply {
  if (reply.kind === 'bytes') return toEncodedReply(reply.status, reply.type, reply.body);
  if (reply.kind === 'missing') return toEncodedReply(404, CONTENT_TYPES.json, Buffer.from(' '));
  const status = 'status' in reply ? reply.status : 200;
  const text = format === 'xml' ? xmlText(reply) : JSON.stringify(jsonValue(reply));
  return toEncodedReply(status, format === 'xml' ? CONTENT_TYPES.xml : CONTENT_TYPES.json, Buffer.from(text));
}

export function toEncodedReply(status: number, type: string, body: Buffer): EncodedReply {
  return { status, headers: { 'Content-Type': type, ETag: `"${hash('md5', body)}"` }, body };
}

type Document = Exclude<ServiceReply, { kind: 'bytes' } | { kind: 'missing' }>;

function jsonValue(reply: Document): unknown {
  switch (reply.kind) {
    case 'entity':
      return { [reply.name]: reply.value };
    case 'list':
      return reply.wrapped ? reply.values.map((value) => ({ [reply.item]: value })) : reply.values;
    case 'ids':
      return { statement_ids: reply.ids };
    case 'plain':
      return reply.json;
    case 'errors':
      return { errors: reply.errors };
  }
}

function xmlText(reply: Document): string {
  switch (reply.kind) {
    case 'entity':
      return createXmlDocument(reply.name, reply.value);
    case 'list':
      return createXmlArray(reply.name, reply.item, reply.values);
    case 'ids': {
      const inner = reply.ids.map((id) => `  <id>${id}</id>\n`).join('');
      return `<?xml version="1.0" encoding="UTF-8"?>\n<statement_ids>\n${inner}</statement_ids>\n`;
    }
    case 'plain':
      return reply.xml;
    case 'errors': {
      const entries = reply.errors.map((error) =>
        createXmlDocument('error', error).split('\n').slice(1).join('\n'),
      );
      return `<?xml version="1.0" encoding="UTF-8"?>\n<errors>\n${entries.map((entry) => `  ${entry}`).join('')}</errors>\n`;
    }
  }
}
