import { z } from 'zod';
import type { PackVerdict } from '../../contract/index.ts';
import { type BagReader, openBag } from '../bagit/source.ts';
import { verifyBag } from '../bagit/verify-bag.ts';
import { payloadPath } from '../bagit/write-bag.ts';
import { auditHash, BEGINNING } from '../store/audit-log/audit-log.ts';

const ABOUT = payloadPath('pack.json');
const AUDIT = payloadPath('audit.jsonl');
const MOST_AUDIT_BYTES = 512 * 1024 * 1024;
const MOST_PACK_BYTES = 1024 * 1024;

const packFile = z.object({
  format: z.literal('tieout-pack'),
  site: z.string(),
  period: z.string(),
  made_at: z.string(),
  made_by: z.string(),
  digest: z.string(),
  audit: z.object({ entries: z.int(), head: z.string().nullable() }),
});

const auditLine = z.object({
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

/** Verifies a pack or another bag from the file alone: every byte, and every hash of its audit log. */
export async function verifyPack(path: string, signal: AbortSignal): Promise<PackVerdict> {
  const source = await openBag(path, [ABOUT, AUDIT]);
  try {
    const { info, wrong, problems, ...verdict } = await verifyBag(source, {
      signal,
      progress: () => undefined,
    });
    const about = await readAbout(source);
    const audit = await readAudit(source, about?.audit ?? null);
    const { site, period, made_at, made_by, digest } = about ?? {};
    return {
      ...verdict,
      ok: wrong === 0 && audit?.ok !== false,
      wrong,
      kind: source.kind,
      path,
      info: [...info].map(([label, value]) => ({ label, value })),
      problems: [...problems],
      audit,
      pack:
        about === null
          ? null
          : { site: site!, period: period!, made_at: made_at!, made_by: made_by!, digest: digest! },
    };
  } finally {
    source.close();
  }
}

async function readAbout(source: BagReader): Promise<z.infer<typeof packFile> | null> {
  const text = await textOf(source, ABOUT, MOST_PACK_BYTES);
  const parsed = text === null ? null : packFile.safeParse(jsonOf(text));
  return parsed?.success ? parsed.data : null;
}

async function readAudit(
  source: BagReader,
  said: { entries: number; head: string | null } | null,
): Promise<PackVerdict['audit']> {
  const text = await textOf(source, AUDIT, MOST_AUDIT_BYTES);
  if (text === null) return null;
  let [entries, head] = [0, BEGINNING];
  const broken = (reason: string) => ({ ok: false, entries, broken_at: entries, reason, head: null });
  for (const line of linesOf(text)) {
    entries++;
    const read = auditLine.safeParse(jsonOf(line));
    if (!read.success) return broken(`Line ${entries} of the audit log cannot be read.`);
    const { seq, previous_hash, hash, ...content } = read.data;
    if (seq !== entries) return broken(`Entry ${entries} is missing.`);
    if (previous_hash !== head) return broken(`Entry ${seq} does not follow on the one before it.`);
    if (auditHash(previous_hash, content) !== hash)
      return broken(`Entry ${seq} was changed after it was written.`);
    head = hash;
  }
  if (said !== null && (said.entries !== entries || (said.head ?? BEGINNING) !== head))
    return broken(`The log had ${said.entries} entries when the pack was made; here it has ${entries}.`);
  return { ok: true, entries, broken_at: null, reason: null, head: entries === 0 ? null : head };
}

function* linesOf(text: string): Generator<string> {
  for (let from = 0; from < text.length; ) {
    const end = text.indexOf('\n', from);
    const to = end === -1 ? text.length : end;
    if (to > from) yield text.slice(from, to);
    from = to + 1;
  }
}

/** Returns null if the file is missing or unreadable. The verification of the bag reports that. */
const textOf = async (source: BagReader, path: string, most: number): Promise<string | null> =>
  await source.text(path, most).catch(() => null);

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
