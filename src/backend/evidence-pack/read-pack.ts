import {
  createNonRetryableError,
  type PackDecisions,
  type PackVerification,
  packDecisionsSchema,
} from '../../contract/index.ts';
import { isSafeFileName } from '../../domain/text/safe-file-name.ts';
import { getPayloadPath } from '../bagit/bag-format.ts';
import { readBagText, withOpenBag } from '../bagit/bag-reader.ts';
import { verifyEvidencePack } from './verify-pack.ts';

/** Decisions whose attached files have names that are valid on every operating system. */
const decisionsSchema = packDecisionsSchema.refine(({ comments }) =>
  comments.every(({ files }) => files.every(({ name }) => isSafeFileName(name))),
);
const DECISIONS_PATH = getPayloadPath('decisions.json');
const MAX_DECISIONS_BYTES = 512 * 1024 * 1024;

export interface VerifiedPack {
  readonly path: string;
  readonly packInfo: NonNullable<PackVerification['pack']>;
  /** SHA-256 that covers every byte of the pack. */
  readonly checksum: string;
  readonly decisions: PackDecisions;
}

/** Verifies and opens an evidence pack. Throws `not_found`, `validation`, or `corrupt` with the damage. */
export async function openVerifiedPack(path: string, signal: AbortSignal): Promise<VerifiedPack> {
  const { ok, pack, checksum, problems, audit } = await verifyEvidencePack(path, signal);
  if (!ok) {
    const [first] = problems;
    const damage =
      first === undefined ? (audit?.reason ?? '') : `${first.path || 'the pack'} ${first.message}`;
    const hint = `Nothing was restored. For details, run: tieout verify ${path}`;
    throw createNonRetryableError('corrupt', `${path} was changed: ${damage.replace(/\.?$/, '.')}`, hint);
  }
  const invalidError = createNonRetryableError(
    'validation',
    `${path} is not an evidence pack whose decisions this version can read.`,
    'Choose a ZIP file written by `tieout pack`.',
  );
  if (pack === null || checksum === null) throw invalidError;
  const text = await withOpenBag(path, [DECISIONS_PATH], (bag) =>
    readBagText(bag, DECISIONS_PATH, MAX_DECISIONS_BYTES),
  );
  const parsed = decisionsSchema.safeParse(JSON.parse(text));
  if (!parsed.success) throw invalidError;
  return { path, packInfo: pack, checksum, decisions: parsed.data };
}
