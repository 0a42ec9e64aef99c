import type { JsonValue } from '../../src/billing/formats/json-value.ts';
import {
  type BillingDataFormat,
  type DecodedBody,
  decodeResponse,
} from '../../src/billing/http/response-decoding.ts';
import { allocationRecordShape } from '../../src/billing/records/allocations.ts';
import type { ResponseReadContext } from '../../src/billing/records/record-reader.ts';
import {
  createListResponseReader,
  createRecordResponseReader,
  readStatementIdList,
} from '../../src/billing/records/response-readers.ts';
import { statementRecordShape } from '../../src/billing/records/statements.ts';
import { webhookRecordShape } from '../../src/billing/records/webhooks.ts';

/** Decodes complete responses without a server, for property tests and fuzzing. */
export const responseReaders = {
  webhooks: createListResponseReader('webhooks', webhookRecordShape),
  allocations: createListResponseReader('allocations', allocationRecordShape),
  allocation: createRecordResponseReader('allocation', allocationRecordShape),
  statements: createListResponseReader('statements', statementRecordShape),
  statement: createRecordResponseReader('statement', statementRecordShape),
  statement_ids: readStatementIdList,
};

export type ResponseReaderName = keyof typeof responseReaders;
export type ReadResult<R extends ResponseReaderName> = ReturnType<(typeof responseReaders)[R]>;

export function decodeBody<R extends ResponseReaderName>(
  reader: R,
  format: BillingDataFormat,
  body: string | Buffer,
  contentType = `application/${format}; charset=utf-8`,
): DecodedBody<ReadResult<R>> {
  const read = responseReaders[reader] as (tree: JsonValue, reading: ResponseReadContext) => ReadResult<R>;
  return decodeResponse(Buffer.from(body as string), { 'content-type': contentType }, format, read);
}
