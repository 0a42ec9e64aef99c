import { contractError, type PackDecisions, type PackVerdict, packDecisions } from '../../contract/index.ts';
import { openBag } from '../bagit/source.ts';
import { payloadPath } from '../bagit/write-bag.ts';
import { verifyPack } from './verify-pack.ts';

const DECISIONS = payloadPath('decisions.json');
const MOST_DECISIONS_BYTES = 512 * 1024 * 1024;

export interface VerifiedPack {
  readonly path: string;
  readonly told: NonNullable<PackVerdict['pack']>;
  /** Checksum that covers every byte of the pack. */
  readonly checksum: string;
  readonly decisions: PackDecisions;
}

/**
 * Opens a pack after verifying every byte. Throws `not_found`, `validation` if it is no pack, `corrupt` with the location
 * of a change.
 */
export async function openVerifiedPack(path: string, signal: AbortSignal): Promise<VerifiedPack> {
  const verdict = await verifyPack(path, signal);
  const { pack, checksum, problems, audit } = verdict;
  if (!verdict.ok) {
    const [first] = problems;
    const where =
      first === undefined ? (audit?.reason ?? '') : `${first.path || 'the pack'} ${first.message}`;
    throw contractError({
      code: 'corrupt',
      message: `${path} is not as it was written: ${where.replace(/\.?$/, '.')}`,
      hint: `Nothing was restored. See all of it with: tieout verify ${path}`,
      retryable: false,
    });
  }
  if (pack === null || checksum === null) throw contractError(noPack(path));
  const bag = await openBag(path, [DECISIONS]);
  try {
    const read = packDecisions.safeParse(JSON.parse(await bag.text(DECISIONS, MOST_DECISIONS_BYTES)));
    if (!read.success) throw contractError(noPack(path));
    return { path, told: pack, checksum, decisions: read.data };
  } finally {
    bag.close();
  }
}

function noPack(path: string) {
  return {
    code: 'validation' as const,
    message: `${path} is no evidence pack with decisions that this version can read.`,
    hint: 'Choose a ZIP file that `tieout pack` wrote.',
    retryable: false,
  };
}
