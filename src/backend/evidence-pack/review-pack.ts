import {
  type ContractInputs,
  createNonRetryableError,
  type PackReview,
  type PackVerification,
  type ReviewFile,
} from '../../contract/index.ts';
import { isSamePerson } from '../../domain/periods/index.ts';
import { formatCount } from '../../domain/text/format-count.ts';
import type { CommandContext } from '../jobs/command-context.ts';
import { findSigner } from '../people/signers.ts';
import { certifySignOff } from '../periods/certify-sign-off.ts';
import {
  createPeriodHistoryEntry,
  throwIfPeriodTransitionRefused,
} from '../periods/period-sign-off-steps.ts';
import { throwIfSelfReviewUnexplained, toKeyHolder } from '../periods/self-review.ts';
import { resolveOutputFile, writeOutputFile } from '../shared/output-file.ts';
import { type EntrySigner, signEntryDetail } from '../store/audit-log/signed-entry.ts';
import { formatPeriodEntryForLog } from '../store/periods/period-audit-entries.ts';
import { verifyEvidencePack } from './verify-pack.ts';

/**
 * Verifies the pack of a submitted period and writes a signed review of it. Throws the errors that the contract's
 * `packs.review` lists.
 */
export async function reviewEvidencePack(
  tools: CommandContext,
  input: ContractInputs['packs']['review'],
  signal: AbortSignal,
): Promise<PackReview> {
  const output = resolveOutputFile(input.output, {
    home: tools.home,
    replace: input.replace ?? false,
    extension: '.json',
  });
  const { site, period, digest, preparer, receipt, certification } = requireSubmittedPack(
    await verifyEvidencePack(input.path, signal, input.receipt),
  );
  const person = await findSigner(tools, input.by);
  const isSelfReview = isSamePerson(toKeyHolder(person), preparer);
  const { verdict, comment, self_review, confirmed = [] } = input;
  if (isSelfReview)
    throwIfSelfReviewUnexplained({
      reason: self_review,
      message: `${preparer.name} prepared ${period}. Another person must review it.`,
    });
  const certified =
    verdict === 'approve' ? certifySignOff({ certification, role: 'reviewed', period, confirmed }) : null;
  if (typeof certified === 'object' && certified !== null) throwIfPeriodTransitionRefused(certified);
  const text = (isSelfReview ? [self_review, comment] : [comment]).filter((part) => part !== undefined);
  const entry = createPeriodHistoryEntry(
    { ...person, at: tools.now(), user: tools.user },
    verdict === 'approve' ? 'approved' : 'rejected',
    text.length === 0 ? undefined : text.join(' ').toWellFormed(),
    { figures: digest, is_self_review: Number(isSelfReview), statements: certified },
  );
  const signer = requireSigner(person.signer);
  const { action, subject, reason, detail } = formatPeriodEntryForLog(period, entry);
  const unsigned = { action, subject, reason: reason ?? '', detail };
  const signed = signEntryDetail(unsigned, {
    signer,
    log: receipt,
    at: entry.at,
  }) as ReviewFile['entry']['detail'];
  const file = { format: 'tieout-review', version: 1, site, period, entry: { ...unsigned, detail: signed } };
  await writeOutputFile(output, [`${JSON.stringify(file, null, 2)}\n`]);
  const { name, key } = signer;
  return { path: output.path, site, period, verdict, name, key, figures: digest, receipt };
}

/**
 * Returns the submitted figures and the preparer of a pack. Throws `corrupt` if someone changed the pack, and
 * `conflict` if its period is not submitted.
 */
function requireSubmittedPack({ ok, pack, audit, wrong, problems }: PackVerification) {
  if (pack === null || audit === null)
    throw createNonRetryableError(
      'validation',
      'The file is not an evidence pack.',
      'Choose the ZIP file that the preparer wrote with: tieout pack',
    );
  if (!ok)
    throw createNonRetryableError(
      'corrupt',
      audit.reason ??
        `The pack has ${formatCount(wrong, 'problem')}: ${problems[0]?.path} ${problems[0]?.message}.`,
      'Ask the preparer for an intact pack. For details, run: tieout verify FILE',
    );
  const preparer = pack.signatures.findLast(({ role }) => role === 'prepared');
  if (pack.state !== 'submitted' || preparer === undefined)
    throw createNonRetryableError(
      'conflict',
      `${pack.period} is ${pack.state} in this pack, not submitted.`,
      'Ask the preparer to submit the period and to write the pack after that.',
    );
  return { ...pack, preparer: { name: preparer.user, key: preparer.key }, receipt: audit.receipt };
}

/** Throws `keychain_unavailable` if the reviewer has no key, because only a signature proves a review made elsewhere. */
function requireSigner(signer: EntrySigner | null): EntrySigner {
  if (signer !== null) return signer;
  throw createNonRetryableError(
    'keychain_unavailable',
    'A review on another computer must be signed, and this computer has no keychain for the key.',
    'Start or install a keychain. For details, run: tieout doctor',
  );
}
