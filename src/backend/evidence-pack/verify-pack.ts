import { z } from 'zod';
import { certificationSchema, type PackVerification, signatureSchema } from '../../contract/index.ts';
import { TAG_MANIFEST_FILE } from '../bagit/bag-format.ts';
import { type BagReader, readBagText, withOpenBag } from '../bagit/bag-reader.ts';
import { verifyBag } from '../bagit/verify-bag.ts';
import { derivePeriodState } from '../store/periods/period-audit-entries.ts';
import { toPeriodSignatures } from '../workpaper/period-signatures.ts';
import { type PackAuditLog, parseJsonOrNull, readPackAuditLog } from './pack-audit-log.ts';
import { findCertificateProblems } from './pack-certificates.ts';
import { packPaths } from './pack-contents.ts';

const MAX_PACK_INFO_BYTES = 1024 * 1024;
const MAX_INDEX_BYTES = 512 * 1024 * 1024;
const MAX_PROBLEMS = 1000;

const packInfoSchema = z.object({
  format: z.literal('tieout-pack'),
  site: z.string(),
  period: z.string(),
  state: z.string(),
  made_at: z.string(),
  made_by: z.string(),
  digest: z.string(),
  audit: z.object({ entries: z.int(), head: z.string().nullable() }),
  signatures: z.array(signatureSchema),
  certification: certificationSchema,
});
type PackInfo = z.infer<typeof packInfoSchema>;

type PackProblem = PackVerification['problems'][number];

/**
 * Verifies an evidence pack or another bag from the file alone: every byte, every hash of its audit log, and whether
 * the log contains its files, signatures and figures. `receipt` is a state of the log that was stored elsewhere.
 */
export function verifyEvidencePack(
  path: string,
  signal: AbortSignal,
  receipt?: string,
): Promise<PackVerification> {
  return withOpenBag(path, Object.values(packPaths), async (bag) => {
    const payload = new Map<string, string>();
    const onPayloadFile = ({ path: name, sha256 }: { path: string; sha256: string }) =>
      payload.set(name, sha256);
    const verdict = await verifyBag(bag, { signal, onPayloadFile });
    const info = await readPackInfo(bag);
    const log = await readPackAuditLog(bag, { period: info?.period, reported: info?.audit, receipt });
    const isPack = info !== null || log !== null || receipt !== undefined;
    const found = isPack ? await findPackProblems({ bag, payload, info, log, verdict }) : [];
    const problems = [...verdict.problems, ...found].slice(0, MAX_PROBLEMS);
    const audit = log?.verdict ?? null;
    const result = {
      ...{ ...verdict, problems, wrong: verdict.wrong + found.length, audit },
      ok: verdict.ok && found.length === 0 && audit?.ok !== false,
    };
    if (info === null) return { ...result, pack: null };
    const { format: _, audit: __, ...pack } = info;
    return { ...result, pack };
  });
}

async function readPackInfo(bag: BagReader): Promise<PackInfo | null> {
  const text = await readBagText(bag, packPaths.info, MAX_PACK_INFO_BYTES).catch(() => null);
  return text === null ? null : (packInfoSchema.safeParse(parseJsonOrNull(text)).data ?? null);
}

interface PackParts {
  readonly bag: BagReader;
  /** Checksums of the payload files by path. */
  readonly payload: ReadonlyMap<string, string>;
  readonly info: PackInfo | null;
  readonly log: PackAuditLog | null;
  readonly verdict: { readonly checksum: string | null };
}

/** Returns the differences between a pack's files and its audit log. */
async function findPackProblems({ bag, payload, info, log, verdict }: PackParts): Promise<PackProblem[]> {
  const problems: PackProblem[] = [];
  const report = (path: string, message: string) => problems.push({ path, message });
  if (verdict.checksum === null) report(TAG_MANIFEST_FILE, 'is missing');
  if (info === null) report(packPaths.info, 'is missing or cannot be read');
  if (log === null) report(packPaths.auditLog, 'is missing');
  if (info === null || log === null || !log.verdict.ok) return problems;
  if (log.files === null) report(packPaths.auditLog, 'does not end with the checksums of the pack’s files');
  else problems.push(...compareChecksums(log.files, payload, isCoveredByLog));
  const index = await readStatementChecksums(bag);
  problems.push(...compareChecksums(index, payload, (path) => path.startsWith(packPaths.statements)));
  if (payload.get(packPaths.figures) !== info.digest)
    report(packPaths.figures, `does not have the digest that ${packPaths.info} states`);
  problems.push(...compareSignOff(info, log), ...(await findCertificateProblems(bag)));
  return problems;
}

const isCoveredByLog = (path: string): boolean =>
  path !== packPaths.auditLog && !path.startsWith(packPaths.statements);

/** Compares the recorded checksums with the payload files. */
function* compareChecksums(
  recorded: ReadonlyMap<string, string>,
  payload: ReadonlyMap<string, string>,
  isCovered: (path: string) => boolean,
): Generator<PackProblem> {
  for (const [path, sha256] of payload) {
    if (isCovered(path) && recorded.get(path) !== sha256)
      yield {
        path,
        message: recorded.has(path)
          ? 'differs from the recorded file'
          : 'was added after the pack was written',
      };
  }
  for (const path of recorded.keys())
    if (!payload.has(path)) yield { path, message: 'was part of the pack and is missing' };
}

/** Returns the checksums of the statement PDFs that the pack's index lists. */
async function readStatementChecksums(bag: BagReader): Promise<Map<string, string>> {
  const text = await readBagText(bag, packPaths.index, MAX_INDEX_BYTES).catch(() => '');
  const rows = text.matchAll(/^statement,\d+,([^,"\r\n]+),\d+,([0-9a-f]{64}),/gm);
  return new Map(Array.from(rows, ([, path, sha256]) => [path!, sha256!]));
}

/** Compares the pack's status, signatures and signed figures with its audit log. */
function* compareSignOff(info: PackInfo, { history }: PackAuditLog): Generator<PackProblem> {
  const path = packPaths.info;
  const state = derivePeriodState(history);
  if (state !== info.state)
    yield {
      path,
      message: `states that ${info.period} is ${info.state}, but the audit log states: ${state}`,
    };
  if (JSON.stringify(toPeriodSignatures(history)) !== JSON.stringify(info.signatures))
    yield { path, message: 'states different signatures than the audit log' };
  const signed = history.findLast(({ action }) => action === 'closed')?.figures;
  if (state === 'closed' && signed !== info.digest)
    yield { path, message: 'states figures that differ from those signed in the audit log' };
}
