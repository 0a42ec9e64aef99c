import { allocationShape } from '../../src/billing/allocations.ts';
import { type Decoded, decode, type Format } from '../../src/billing/answers.ts';
import { listOf, recordOf, statementIds } from '../../src/billing/contents.ts';
import type { Reading } from '../../src/billing/reading.ts';
import { statementShape } from '../../src/billing/statements.ts';
import type { JsonValue } from '../../src/billing/value.ts';
import { webhookShape } from '../../src/billing/webhooks.ts';

/** What the client reads from a whole answer, without a server: for the many cases of properties and fuzzing. */
export const readers = {
  webhooks: listOf('webhooks', webhookShape),
  allocations: listOf('allocations', allocationShape),
  allocation: recordOf('allocation', allocationShape),
  statements: listOf('statements', statementShape),
  statement: recordOf('statement', statementShape),
  statement_ids: statementIds,
};

export type Reader = keyof typeof readers;
export type Read<R extends Reader> = ReturnType<(typeof readers)[R]>;

export function decoded<R extends Reader>(
  reader: R,
  format: Format,
  body: string | Buffer,
  contentType = `application/${format}; charset=utf-8`,
): Decoded<Read<R>> {
  const read = readers[reader] as (tree: JsonValue, reading: Reading) => Read<R>;
  return decode(Buffer.from(body as string), { 'content-type': contentType }, format, read);
}
