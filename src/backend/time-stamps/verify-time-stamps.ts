import { z } from 'zod';
import type { AuditReceipt, AuditTimeStamp } from '../../contract/index.ts';
import { formatTimestamp } from '../shared/timestamps.ts';
import { readAuditEntriesOfActions } from '../store/audit-log/audit-entry-list.ts';
import { findAuditRoot } from '../store/audit-log/audit-log.ts';
import type { ReadableDb } from '../store/sqlite/connection.ts';
import { type TimeStampStatement, verifyTimeStampResponse } from './time-stamp-token.ts';

/** Audited action that records a time stamp of the log. */
export const TIME_STAMP_ACTION = 'audit.timeStamp';

const detailSchema = z.object({ entries: z.int(), hash: z.string(), response: z.base64() });

/** An entry of the audit log with a time stamp, as stored. */
export interface TimeStampEntry {
  readonly seq: number;
  /** JSON that contains the stamped receipt and the authority's response in base64. */
  readonly detail: string;
}

/** Verifies the time stamps that the audit log of the books contains, oldest first. */
export function verifyTimeStamps(books: ReadableDb): AuditTimeStamp[] {
  const isState = ({ entries, hash }: AuditReceipt) => findAuditRoot(books, entries) === hash;
  return Array.from(readAuditEntriesOfActions(books, [TIME_STAMP_ACTION]), (entry) =>
    verifyTimeStamp(entry, isState),
  );
}

/** Verifies a time stamp of the audit log. `isState` returns true if the log once had this receipt. */
export function verifyTimeStamp(
  { seq, detail }: TimeStampEntry,
  isState: (receipt: AuditReceipt) => boolean,
): AuditTimeStamp {
  const stored = parseDetail(detail);
  if (stored === null) return toAuditTimeStamp({ seq, problem: 'cannot be read' });
  const { response, ...receipt } = stored;
  if (receipt.entries >= seq || !isState(receipt))
    return toAuditTimeStamp({ seq, receipt, problem: 'is for a state that the audit log never had' });
  try {
    const statement = verifyTimeStampResponse(Buffer.from(response, 'base64'), receipt.hash);
    return toAuditTimeStamp({ seq, receipt, statement });
  } catch (error) {
    return toAuditTimeStamp({
      seq,
      receipt,
      problem: error instanceof Error ? error.message : String(error),
    });
  }
}

function parseDetail(detail: string): z.infer<typeof detailSchema> | null {
  try {
    return detailSchema.parse(JSON.parse(detail));
  } catch {
    return null;
  }
}

/** Returns a time stamp in the format of the contract. */
export function toAuditTimeStamp({
  seq,
  receipt = { entries: 0, hash: '' },
  statement,
  problem,
}: {
  seq: number;
  receipt?: AuditReceipt;
  statement?: TimeStampStatement;
  problem?: string;
}): AuditTimeStamp {
  return {
    ...{ seq, entries: receipt.entries, hash: receipt.hash },
    at: formatTimestamp(statement?.at ?? null),
    authority: statement?.authority ?? null,
    certificate: statement?.certificate ?? null,
    is_trusted: statement?.is_trusted ?? false,
    problem: problem === undefined ? null : `The time stamp of entry ${seq} ${problem}.`,
  };
}
