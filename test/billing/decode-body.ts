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
export const responseReaders = {
  webhooks: createListReader('webhooks', webhookRecordShape),
  allocations: createListReader('allocations', allocationRecordShape),
  allocation: createRecordReader('allocation', allocationRecordShape),
  statements: createListReader('statements', statementRecordShape),
  statement: createRecordReader('statement', statementRecordShape),
  statement_ids: readStatementIdList,
};

export type ResponseReaderName = keyof typeof responseReaders;
export type ReadResult<R extends ResponseReaderName> = ReturnType<(typeof responseReaders)[R]>;

export function decodeBody<R extends ResponseReaderName>(
  reader: R,
  format: BillingFormat,
  body: string | Buffer,
  contentType = `application/${format}; charset=utf-8`,
): DecodedBody<ReadResult<R>> {
  const read = responseReaders[reader] as (tree: JsonValue, reading: ResponseReadContext) => ReadResult<R>;
  return decodeResponse(Buffer.from(body as string), { 'content-type': contentType }, format, read);
}
