import { contractError, type PackDecisions, type PackVerdict, packDecisions } from '../../contract/index.ts';
import { openBag } from '../bag/source.ts';
import { payload } from '../bag/write-bag.ts';
import { verifyPack } from './verify-pack.ts';

const DECISIONS = payload('decisions.json');
const MOST_DECISIONS_BYTES = 512 * 1024 * 1024;

export interface ReadPack {
  readonly path: string;
  readonly told: NonNullable<PackVerdict['pack']>;
  /** It stands for every byte of the pack. */
  readonly receipt: string;
  readonly decisions: PackDecisions;
}

/** A pack of which every byte is as it was written. Throws `not_found`, `validation` for what is no pack, `corrupt` with the place of what is changed. */
export async function readPack(path: string, signal: AbortSignal): Promise<ReadPack> {
  const verdict = await verifyPack(path, signal);
  const { pack, receipt, problems, audit } = verdict;
  if (!verdict.ok) {
    const [first] = problems;
    const where = first === undefined ? (audit?.why ?? '') : `${first.path || 'the pack'} ${first.what}`;
    throw contractError({
      code: 'corrupt',
      message: `${path} is not as it was written: ${where.replace(/\.?$/, '.')}`,
      hint: `Nothing was restored. See all of it with: tieout verify ${path}`,
      retryable: false,
    });
  }
  if (pack === null || receipt === null) throw contractError(noPack(path));
  const bag = await openBag(path, [DECISIONS]);
  try {
    const read = packDecisions.safeParse(JSON.parse(await bag.text(DECISIONS, MOST_DECISIONS_BYTES)));
    if (!read.success) throw contractError(noPack(path));
    return { path, told: pack, receipt, decisions: read.data };
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
