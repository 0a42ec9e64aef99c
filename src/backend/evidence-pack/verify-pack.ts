import { z } from 'zod';
import type { PackVerification } from '../../contract/index.ts';
import { getPayloadPath } from '../bagit/bag-format.ts';
import { type BagReader, readBagText, withOpenBag } from '../bagit/bag-reader.ts';
import { verifyBag } from '../bagit/verify-bag.ts';
import { AUDIT_GENESIS_HASH, hashAuditEntry } from '../store/audit-log/audit-log.ts';

const PACK_INFO_PATH = getPayloadPath('pack.json');
const AUDIT_PATH = getPayloadPath('audit.jsonl');
const MAX_AUDIT_BYTES = 512 * 1024 * 1024;
const MAX_PACK_INFO_BYTES = 1024 * 1024;

const packInfoSchema = z.object({
  format: z.literal('tieout-pack'),
  site: z.string(),
  period: z.string(),
  made_at: z.string(),
  made_by: z.string(),
  digest: z.string(),
  audit: z.object({ entries: z.int(), head: z.string().nullable() }),
});

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

/** Verifies an evidence pack or another bag using only the file itself: every byte, and every hash of its audit log. */
export function verifyEvidencePack(path: string, signal: AbortSignal): Promise<PackVerification> {
  return withOpenBag(path, [PACK_INFO_PATH, AUDIT_PATH], async (bag) => {
    const verdict = await verifyBag(bag, { signal });
    const packInfo = await readPackInfo(bag);
    const audit = await verifyAuditLog(bag, packInfo?.audit ?? null);
    const ok = verdict.ok && audit?.ok !== false;
    if (packInfo === null) return { ...verdict, ok, audit, pack: null };
    const { site, period, made_at, made_by, digest } = packInfo;
    return { ...verdict, ok, audit, pack: { site, period, made_at, made_by, digest } };
  });
}

async function readPackInfo(bag: BagReader): Promise<z.infer<typeof packInfoSchema> | null> {
  const text = await readTextOrNull(bag, PACK_INFO_PATH, MAX_PACK_INFO_BYTES);
  const parsed = text === null ? null : packInfoSchema.safeParse(parseJsonOrNull(text));
  return parsed?.data ?? null;
}

async function verifyAuditLog(
  bag: BagReader,
  expected: { entries: number; head: string | null } | null,
): Promise<PackVerification['audit']> {
  const text = await readTextOrNull(bag, AUDIT_PATH, MAX_AUDIT_BYTES);
  if (text === null) return null;
  let [entries, head] = [0, AUDIT_GENESIS_HASH];
  const broken = (reason: string) => ({ ok: false, entries, broken_at: entries, reason, head: null });
  for (const line of splitLines(text)) {
    entries++;
    const read = auditLineSchema.safeParse(parseJsonOrNull(line));
    if (!read.success) return broken(`Line ${entries} of the audit log cannot be read.`);
    const { seq, previous_hash, hash, ...content } = read.data;
    if (seq !== entries) return broken(`Entry ${entries} is missing.`);
    if (previous_hash !== head) return broken(`Entry ${seq} does not follow the previous entry.`);
    if (hashAuditEntry(previous_hash, content) !== hash)
      return broken(`Entry ${seq} was changed after it was written.`);
    head = hash;
  }
  const difference = expected === null ? null : findEndDifference(expected, entries, head);
  if (difference !== null) return broken(difference);
  return { ok: true, entries, broken_at: null, reason: null, head: entries === 0 ? null : head };
}

/** Returns how the audit log's end differs from the end that the report states; null if it does not. */
function findEndDifference(
  expected: { readonly entries: number; readonly head: string | null },
  entries: number,
  head: string,
): string | null {
  if (expected.entries !== entries) {
    return `The audit log should have ${expected.entries} entries, but the pack contains ${entries}.`;
  }
  const isSameEnd = (expected.head ?? AUDIT_GENESIS_HASH) === head;
  return isSameEnd ? null : 'The audit log ends with another entry than the report states.';
}

function* splitLines(text: string): Generator<string> {
  for (let from = 0; from < text.length; ) {
    const end = text.indexOf('\n', from);
    const to = end === -1 ? text.length : end;
    if (to > from) yield text.slice(from, to);
    from = to + 1;
  }
}

/** Returns the text of a file, or null if it is missing or unreadable. `verifyBag` reports such a file. */
const readTextOrNull = (bag: BagReader, path: string, maxBytes: number): Promise<string | null> =>
  readBagText(bag, path, maxBytes).catch(() => null);

function parseJsonOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
