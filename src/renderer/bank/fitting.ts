import type { BankAccount, ImportPlan } from '../../contract/index.ts';
import { NEW_ACCOUNT } from './ImportHow.tsx';

/** Whose report a table was found to be; null for a file that does not say. */
export function sourceOf({ profile }: Pick<ImportPlan, 'profile'>): 'bank' | 'processor' | null {
  const source = profile?.['source'];
  return source === 'bank' || source === 'processor' ? source : null;
}

/** The account a report belongs into while nobody has chosen one: the first of its kind there is, else a new one. */
export function fittingAccount(
  accounts: readonly Pick<BankAccount, 'id' | 'kind'>[],
  source: 'bank' | 'processor',
): string {
  const first = accounts.find(({ kind }) => kind === source);
  return first ? String(first.id) : NEW_ACCOUNT;
}
