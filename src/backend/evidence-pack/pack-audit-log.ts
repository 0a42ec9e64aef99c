import { z } from 'zod';
import type { PackVerification } from '../../contract/index.ts';
import { type BagReader, readBagText } from '../bagit/bag-reader.ts';
import { AuditLogVerifier, type StoredAuditEntry } from '../store/audit-log/audit-log-verifier.ts';
import { UNKNOWN_HASH_MESSAGE } from '../store/audit-log/verify-audit-log.ts';
import type { StoredPeriodEntry } from '../store/periods/period.ts';
import { parsePeriodAuditEntry } from '../store/periods/period-audit-entries.ts';
import {
  TIME_STAMP_ACTION,
  type TimeStampEntry,
  verifyTimeStamp,
} from '../time-stamps/verify-time-stamps.ts';
import { PACK_FILES_ACTION, packPaths } from './pack-contents.ts';

const MAX_AUDIT_BYTES = 512 * 1024 * 1024;

const auditLineSchema = z.object({
  seq: z.int(),
  at: z.int(),
  user: z.string(),
  action: z.string(),
  subject: z.string(),
  reason: z.string(),
  detail: z.string(),
  previous_hash: z.string(),
  hash: z.string(),
});
const filesSchema = z.object({ files: z.record(z.string(), z.string()) });

/** Contents of a pack's audit log. */
export interface PackAuditLog {
  readonly verdict: NonNullable<PackVerification['audit']>;
  /** Checksums of the pack's files, by path. Null if the log's last entry does not list them. */
  readonly files: ReadonlyMap<string, string> | null;
  /** History of the pack's period, oldest first. */
  readonly history: readonly PackPeriodEntry[];
}

/** History entry of a period with the recomputed receipt of the log. */
type PackPeriodEntry = Omit<StoredPeriodEntry, 'seq'>;

/** States that the log must contain: the state printed in the report, and a receipt stored elsewhere. */
interface ExpectedLogStates {
  readonly period: string | undefined;
  readonly reported: { readonly entries: number; readonly head: string | null } | undefined;
  readonly receipt: string | undefined;
}

/** Reads and verifies the audit log of a pack. Returns null if the pack has none. */
export async function readPackAuditLog(
  bag: BagReader,
  expected: ExpectedLogStates,
): Promise<PackAuditLog | null> {
  const text = await readBagText(bag, packPaths.auditLog, MAX_AUDIT_BYTES).catch(() => null);
  if (text === null) return null;
  const { period, receipt } = expected;
  const verifier = new AuditLogVerifier(receipt === undefined ? [] : [receipt]);
  const { history, stamps, last, error } = verifyLines(text, verifier, period);
  const time_stamps = stamps.map((each) => verifyTimeStamp(each, (state) => verifier.isState(state)));
  const invalid = time_stamps.find(({ problem }) => problem !== null)?.problem ?? null;
  const reason = error?.reason ?? findUnprovenState(verifier, expected) ?? invalid;
  const proven_entries = receipt === undefined ? null : verifier.countProvenEntries(receipt);
  return {
    verdict: {
      ...{ ok: reason === null, entries: verifier.entries, broken_at: error?.seq ?? null, reason },
      ...{ head: last?.hash ?? null, receipt: verifier.receipt(), proven_entries, time_stamps },
    },
    files: last === null ? null : readFiles(last),
    history,
  };
}

/** Verifies the entries of a log up to the first error. Returns the history of the period and the time stamps up to it. */
function verifyLines(text: string, verifier: AuditLogVerifier, period: string | undefined) {
  const history: PackPeriodEntry[] = [];
  const stamps: TimeStampEntry[] = [];
  let last: StoredAuditEntry | null = null;
  for (const line of splitLines(text)) {
    const entry = auditLineSchema.safeParse(parseJsonOrNull(line)).data;
    const next = verifier.entries + 1;
    const error =
      entry === undefined ? { seq: next, reason: `Entry ${next} cannot be read.` } : verifier.add(entry);
    if (entry === undefined || error !== null) return { history, stamps, last, error };
    last = entry;
    if (entry.action === TIME_STAMP_ACTION) stamps.push(entry);
    if (entry.subject === period) history.push(...toHistoryEntries(entry, verifier.receipt().hash));
  }
  return { history, stamps, last, error: null };
}

function toHistoryEntries(entry: StoredAuditEntry, receipt: string): PackPeriodEntry[] {
  const parsed = parsePeriodAuditEntry(entry);
  return parsed === null ? [] : [{ ...parsed, receipt }];
}

/** Returns why the log does not contain the state of the report or the receipt. Null if it contains them. */
function findUnprovenState(
  verifier: AuditLogVerifier,
  { reported, receipt }: ExpectedLogStates,
): string | null {
  if (reported !== undefined) {
    const { entries, head } = reported;
    if (entries > verifier.entries)
      return `The audit log should have at least ${entries} entries, but the pack contains ${verifier.entries}.`;
    if (entries > 0 && !verifier.isState({ entries, hash: head ?? '' }))
      return `The first ${entries} entries of the audit log are not those that the report states.`;
  }
  return receipt !== undefined && verifier.countProvenEntries(receipt) === null ? UNKNOWN_HASH_MESSAGE : null;
}

function readFiles({ action, detail }: StoredAuditEntry): ReadonlyMap<string, string> | null {
  const parsed = action === PACK_FILES_ACTION ? filesSchema.safeParse(parseJsonOrNull(detail)) : null;
  return parsed?.data === undefined ? null : new Map(Object.entries(parsed.data.files));
}

function* splitLines(text: string): Generator<string> {
  for (let from = 0; from < text.length; ) {
    const end = text.indexOf('\n', from);
    const to = end === -1 ? text.length : end;
    if (to > from) yield text.slice(from, to);
    from = to + 1;
  }
}

/** Returns the parsed JSON, or null if the text is not valid JSON. */
export function parseJsonOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
