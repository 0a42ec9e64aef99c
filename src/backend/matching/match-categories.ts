import { type ContractInputs, type ContractOutputs, createNonRetryableError } from '../../contract/index.ts';
import type { DecisionContext } from '../jobs/exclusive-change.ts';
import { addAuditEntry } from '../store/audit-log/audit-log.ts';
import { addCategory, listAddedCategories, removeCategory } from '../store/matching/match-category.ts';
import { countMatchesByCategory } from '../store/matching/match-list.ts';
import { type ReadableDb, runInTransaction } from '../store/sqlite/connection.ts';

const STANDARD_CATEGORIES = [
  ...['fee', 'fx', 'interest', 'tax', 'transfer', 'chargeback', 'rounding', 'adjustment', 'ignored'],
];

/** Returns the added categories, the standard ones and those in use, with the number of matches for each. */
export function listCategories(books: ReadableDb): ContractOutputs['match']['categories'] {
  const added = listAddedCategories(books);
  const counts = new Map([...added, ...STANDARD_CATEGORIES].map((category) => [category, 0]));
  for (const { category, groups } of countMatchesByCategory(books)) counts.set(category, groups);
  return [...counts].map(([category, groups]) => ({ category, groups, added: added.includes(category) }));
}

/** Adds a category to the list of categories. Throws `conflict` if the list already contains it. */
export function addMatchCategory(
  { stores, now, user, changes }: DecisionContext,
  { site, category }: ContractInputs['match']['addCategory'],
): void {
  const { books } = stores.open(site);
  const at = now();
  runInTransaction(books, () => {
    if ([...listAddedCategories(books), ...STANDARD_CATEGORIES].includes(category))
      throw createNonRetryableError(
        'conflict',
        `The category “${category}” already exists.`,
        'Use the existing category.',
      );
    addCategory(books, { category, at, user });
    addAuditEntry(books, { at, user, action: 'match.add-category', subject: category, detail: {} });
  });
  changes.emit(site, 'match', 'audit');
}

/** Removes an added category. Matches and rules that use it are not changed. Throws `not_found` for any other category. */
export function removeMatchCategory(
  { stores, now, user, changes }: DecisionContext,
  { site, category }: ContractInputs['match']['removeCategory'],
): void {
  const { books } = stores.open(site);
  const at = now();
  runInTransaction(books, () => {
    if (!removeCategory(books, category))
      throw createNonRetryableError(
        'not_found',
        `The category “${category}” was not added by a person.`,
        'Standard categories and categories in use cannot be removed.',
      );
    addAuditEntry(books, { at, user, action: 'match.remove-category', subject: category, detail: {} });
  });
  changes.emit(site, 'match', 'audit');
}
