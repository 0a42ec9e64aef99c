import {
  contractError,
  type PackDecisions,
  type PackVerdict,
  packDecisionsSchema,
} from '../../contract/index.ts';
import { openBag } from '../bagit/bag-reader.ts';
import { payloadPath } from '../bagit/write-bag.ts';
import { verifyPack } from './verify-pack.ts';

const DECISIONS_PATH = payloadPath('decisions.json');
const MAX_DECISIONS_BYTES = 512 * 1024 * 1024;

export interface VerifiedPack {
  readonly path: string;
  readonly packInfo: NonNullable<PackVerdict['pack']>;
  /** SHA-256 that covers every byte of the pack. */
  readonly checksum: string;
  readonly decisions: PackDecisions;
}

/**
 * Opens an evidence pack after verifying every byte. Throws `not_found`, `validation` if it is not an evidence pack, and
 * `corrupt` with the location of the damage.
 */
export async function openVerifiedPack(path: string, signal: AbortSignal): Promise<VerifiedPack> {
  const verdict = await verifyPack(path, signal);
  const { pack, checksum, problems, audit } = verdict;
  if (!verdict.ok) {
    const [first] = problems;
    const location =
      first === undefined ? (audit?.reason ?? '') : `${first.path || 'the pack'} ${first.message}`;
    throw contractError({
      code: 'corrupt',
      message: `${path} is not as it was written: ${location.replace(/\.?$/, '.')}`,
      hint: `Nothing was restored. See all of it with: tieout verify ${path}`,
      retryable: false,
    });
  }
  if (pack === null || checksum === null) throw contractError(notAPackError(path));
  const bag = await openBag(path, [DECISIONS_PATH]);
  try {
    const read = packDecisionsSchema.safeParse(
      JSON.parse(await bag.text(DECISIONS_PATH, MAX_DECISIONS_BYTES)),
    );
    if (!read.success) throw contractError(notAPackError(path));
    return { path, packInfo: pack, checksum, decisions: read.data };
  } finally {
    bag.close();
  }
}

function notAPackError(path: string) {
  return {
    code: 'validation' as const,
    message: `${path} is no evidence pack with decisions that this version can read.`,
    hint: 'Choose a ZIP file that `tieout pack` wrote.',
    retryable: false,
  };
}
