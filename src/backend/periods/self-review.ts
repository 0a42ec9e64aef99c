import { isSamePersonName } from '../../domain/periods/index.ts';
import { listPeople } from '../people/people-file.ts';
import type { ActingPerson } from '../people/signers.ts';
import { readWorkpaperSettings } from '../workpaper/workpaper-settings.ts';
import { type PeriodContext, throwIfPeriodTransitionRefused } from './period-sign-off-steps.ts';

/** Person and the public key (hex) of their signature; null if it is not signed with a key. */
interface KeyHolder {
  readonly name: string;
  readonly key: string | null;
}

export const toKeyHolder = ({ name, signer }: ActingPerson): KeyHolder => ({
  name,
  key: signer?.key ?? null,
});

interface SelfReviewInput {
  /** Person who approves or clears. */
  readonly reviewer: KeyHolder;
  /** Person who prepared the figures or answered the comment. */
  readonly preparer: KeyHolder;
  /** Reason for the self-review, if it is one. */
  readonly reason: string | undefined;
  /** Error message if it is a self-review without a reason. */
  readonly message: string;
  readonly hint?: string;
}

/**
 * Returns true if a reviewer is the preparer. Throws `conflict` if no reason is given for this, or if the site refuses
 * self-reviews. If the site refuses self-reviews, keys prove the separation of duties: both must have signed with
 * a key, and the two keys must not be in the keychain of the same computer.
 */
export function findSelfReview(tools: PeriodContext, site: string, input: SelfReviewInput): boolean {
  const { reviewer, preparer } = input;
  if (readWorkpaperSettings(tools.stores.open(site).books).self_review === 'refused')
    throwIfKeysDoNotSeparate(tools.home, preparer, reviewer);
  const isSelfReview = isSamePerson(reviewer, preparer);
  if (isSelfReview) throwIfSelfReviewUnexplained(input);
  return isSelfReview;
}

/** Returns true if a reviewer is the preparer: by key, or by name if a key is missing or was replaced. */
export const isSamePerson = (reviewer: KeyHolder, preparer: KeyHolder): boolean =>
  isSamePersonName(reviewer.name, preparer.name) || (preparer.key !== null && preparer.key === reviewer.key);

/** Throws `conflict` if preparers give no reason to review their own work. */
export function throwIfSelfReviewUnexplained({
  reason,
  message,
  hint = 'If there is no other reviewer, enter the reason. This is recorded as a self-review.',
}: Pick<SelfReviewInput, 'reason' | 'message' | 'hint'>): void {
  if (reason === undefined) throwIfPeriodTransitionRefused({ message, hint });
}

/** Throws `conflict` unless the keys of preparer and reviewer are those of two people on two computers. */
function throwIfKeysDoNotSeparate(home: string, preparer: KeyHolder, reviewer: KeyHolder): void {
  const refuse = (message: string, hint: string) =>
    throwIfPeriodTransitionRefused({ message: `${message} This site refuses self-reviews.`, hint });
  const elsewhere =
    'The reviewer reviews the evidence pack on their own computer: tieout review PACK --approve -o FILE';
  if (preparer.key === null || reviewer.key === null) {
    const unsigned = preparer.key === null ? preparer.name : reviewer.name;
    refuse(`${unsigned} did not sign with a key.`, 'Sign on a computer with a keychain: tieout doctor');
  }
  if (preparer.key === reviewer.key || isSamePersonName(preparer.name, reviewer.name))
    refuse(`${reviewer.name} signed as preparer with the same key.`, elsewhere);
  const keys = new Set(listPeople(home).map(({ key }) => key));
  if (keys.has(preparer.key!) && keys.has(reviewer.key!))
    refuse(
      `The keys of ${preparer.name} and ${reviewer.name} are both in the keychain of this computer.`,
      elsewhere,
    );
}
