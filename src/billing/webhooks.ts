import type { Webhook } from './entities.ts';
import { anything, boolean, datetime, extra, type Row, requiredId, type Shape, text } from './reading.ts';
import type { JsonObject } from './value.ts';

const known = new Set([
  'id',
  'successful',
  'event',
  'body',
  'signature',
  'created_at',
  'accepted_at',
  'last_sent_at',
  'last_error_at',
  'last_sent_url',
  'last_error',
]);

/** A row of the webhook log (interface 2.1). */
export const webhookShape: Shape<Webhook> = {
  wrappers: ['webhook'],
  known,
  read: (row: Row, sent: JsonObject): Webhook => ({
    id: requiredId(row, 'id', sent['id']),
    successful: boolean(row, 'successful', sent['successful']) ?? false,
    event: text(row, 'event', sent['event']) ?? '',
    body: anything(row, 'body', sent['body']),
    signature: text(row, 'signature', sent['signature']),
    created_at: datetime(row, 'created_at', sent['created_at']),
    accepted_at: datetime(row, 'accepted_at', sent['accepted_at']),
    last_sent_at: datetime(row, 'last_sent_at', sent['last_sent_at']),
    last_error_at: datetime(row, 'last_error_at', sent['last_error_at']),
    last_sent_url: text(row, 'last_sent_url', sent['last_sent_url']),
    last_error: text(row, 'last_error', sent['last_error']),
    extra: extra(row, known),
  }),
};
