import { isSamePerson, isSamePersonName, type KeyHolder } from '../../domain/periods/index.ts';
import { findPerson, listKnownKeys } from '../people/people-file.ts';
import { type ActingPerson, toSignerName } from '../people/signers.ts';
import { listPeriodEntries, type StoredPeriodEntry } from '../store/periods/period.ts';
import type { ReadableDb } from '../store/sqlite/connection.ts';
import { readWorkpaperSettings } from '../workpaper/workpaper-settings.ts';
import { requirePeriod } from './period-detail.ts';
import { type PeriodContext, startAction, throwIfPeriodTransitionRefused } from './period-sign-off-steps.ts';

export const toKeyHolder = ({ name, signer }: ActingPerson): KeyHolder => ({
  name,
  key: signer?.key ?? null,
});

interface SelfReviewInput {
  /** Person who approves or clears. */
  readonly reviewer: KeyHolder;
  /** Person who prepared the figures or answered the comment. */
  readonly preparer: KeyHolder;
  /** Keys of other computers, from `findRemoteKeys`. */
  readonly remoteKeys: ReadonlySet<string>;
  /** Reason for the self-review, if it is one. */
  readonly reason: string | undefined;
  /** Error message if it is a self-review without a reason. */
  readonly message: string;
  readonly hint?: string;
}

/**
 * Returns true if a reviewer is the preparer. Throws `conflict` if no reason is given for this, or if the site refuses
 * self-reviews. If the site refuses self-reviews, keys prove the separation of duties: both must have signed with a
 * key, and the two keys must not both belong to this computer.
 */
export function findSelfReview(tools: PeriodContext, site: string, input: SelfReviewInput): boolean {
  const { reviewer, preparer } = input;
  if (areSelfReviewsRefused(tools.stores.open(site).books)) throwIfKeysDoNotSeparate(input);
  const isSelfReview = isSamePerson(reviewer, preparer);
  if (isSelfReview) throwIfSelfReviewUnexplained(input);
  return isSelfReview;
}

/** Throws `conflict` if preparers give no reason to review their own work. */
export function throwIfSelfReviewUnexplained({
  reason,
  message,
  hint = 'If there is no other reviewer, enter the reason. This is recorded as a self-review.',
}: Pick<SelfReviewInput, 'reason' | 'message' | 'hint'>): void {
  if (reason === undefined) throwIfPeriodTransitionRefused({ message, hint });
}

const ELSEWHERE =
  'The reviewer reviews the evidence pack on their own computer: tieout review PACK --approve -o FILE';

const refuse: (message: string, hint: string) => never = (message, hint) =>
  throwIfPeriodTransitionRefused({ message: `${message} This site refuses self-reviews.`, hint });

/** Throws `conflict` unless the keys of preparer and reviewer are those of two people on two computers. */
function throwIfKeysDoNotSeparate({
  preparer,
  reviewer,
  remoteKeys,
}: Pick<SelfReviewInput, 'preparer' | 'reviewer' | 'remoteKeys'>): void {
  if (preparer.key === null || reviewer.key === null) {
    const unsigned = preparer.key === null ? preparer.name : reviewer.name;
    refuse(`${unsigned} did not sign with a key.`, 'Sign on a computer with a keychain: tieout doctor');
  }
  if (preparer.key === reviewer.key || isSamePersonName(preparer.name, reviewer.name))
    refuse(`${reviewer.name} signed as preparer with the same key.`, ELSEWHERE);
  if (!remoteKeys.has(preparer.key) && !remoteKeys.has(reviewer.key))
    refuse(
      `The keys of ${preparer.name} and ${reviewer.name} are both in the keychain of this computer.`,
      ELSEWHERE,
    );
}

export const areSelfReviewsRefused = (books: ReadableDb): boolean =>
  readWorkpaperSettings(books).self_review === 'refused';

/**
 * Returns which of the signers' keys belong to other computers: they are not in the keychain of this computer, and nobody
 * signs or has signed here with them. Returns none if the site allows self-reviews. Throws `keychain_unavailable`, and
 * `corrupt` if the file of the people is unreadable.
 */
export async function findRemoteKeys(
  { home, shell, stores }: PeriodContext,
  site: string,
  signed: Iterable<{ readonly key: string | null }>,
): Promise<ReadonlySet<string>> {
  const remote = new Set<string>();
  if (!areSelfReviewsRefused(stores.open(site).books)) return remote;
  const known = new Set<string | null>(listKnownKeys(home));
  for (const { key } of signed) {
    if (key === null || known.has(key) || remote.has(key)) continue;
    const { private_key } = await shell.keychain.getSigningKey({ key });
    if (private_key === null) remote.add(key);
  }
  return remote;
}

/**
 * Opens the site for an action of a reviewer that `by` signs now, and finds the keys of other computers. Throws `conflict`
 * if the reviewer has no key and this computer has the key of the preparer, if the site refuses self-reviews.
 */
export async function startReviewAction(
  tools: PeriodContext,
  { site, period, by }: { site: string; period: string; by?: string | undefined },
) {
  const { books } = tools.stores.open(site);
  const history = listPeriodEntries(books, requirePeriod(books, period).id);
  const remoteKeys = await findRemoteKeys(tools, site, history);
  if (areSelfReviewsRefused(tools.stores.open(site).books))
    throwIfKeyWouldBeCreated(tools, by, listLocalPreparers(history, remoteKeys));
  return { ...(await startAction(tools, site, by)), remoteKeys };
}

const listLocalPreparers = (history: readonly StoredPeriodEntry[], remoteKeys: ReadonlySet<string>) =>
  history.filter(({ action, key }) => action === 'submitted' && key !== null && !remoteKeys.has(key));

/** Throws `conflict` if a signer without a key would get one on the computer of a preparer. */
function throwIfKeyWouldBeCreated(
  tools: PeriodContext,
  by: string | undefined,
  [preparer]: readonly StoredPeriodEntry[],
): void {
  const name = toSignerName(tools, by);
  if (preparer === undefined || findPerson(tools.home, name) !== null) return;
  refuse(
    `${name} has no key. A new one and that of ${preparer.name} would be both in the keychain of this computer.`,
    ELSEWHERE,
  );
}
