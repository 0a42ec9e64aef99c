import type { JsonValue } from '../../src/billing/formats/json-value.ts';
import {
  type BillingFormat,
  type DecodedBody,
  decodeResponse,
} from '../../src/billing/http/response-decoding.ts';
import { allocationRecordShape } from '../../src/billing/records/allocations.ts';
import type { ResponseReadContext } from '../../src/billing/records/record-reader.ts';
import {
  createListReader,
  createRecordReader,
  readStatementIdList,
} from '../../src/billing/records/response-readers.ts';
import { statementRecordShape } from '../../src/billing/records/statements.ts';
import { webhookRecordShape } from '../../src/billing/records/webhooks.ts';

/** Decodes complete responses without a server, for property tests and fuzzing. */
export const readers = {
  webhooks: createListReader('webhooks', webhookRecordShape),
  allocations: createListReader('allocations', allocationRecordShape),
  allocation: createRecordReader('allocation', allocationRecordShape),
  statements: createListReader('statements', statementRecordShape),
  statement: createRecordReader('statement', statementRecordShape),
  statement_ids: readStatementIdList,
};

export type Reader = keyof typeof readers;
export type Read<R extends Reader> = ReturnType<(typeof readers)[R]>;

export function decoded<R extends Reader>(
  reader: R,
  format: BillingFormat,
  body: string | Buffer,
  contentType = `application/${format}; charset=utf-8`,
): DecodedBody<Read<R>> {
  const read = readers[reader] as (tree: JsonValue, reading: ResponseReadContext) => Read<R>;
  return decodeResponse(Buffer.from(body as string), { 'content-type': contentType }, format, read);
}
