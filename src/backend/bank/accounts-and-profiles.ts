import { type BankAccount, type BankProfile, contractError, type Inputs } from '../../contract/index.ts';
import { type BankFileProfile, builtInProfiles, checkProfile } from '../../domain/bankfiles/index.ts';
import { runExclusively } from '../jobs/exclusive-change.ts';
import { refuseLockedAccount } from '../period-lock/period-lock.ts';
import { addAudit } from '../store/audit-log/audit-log.ts';
import {
  accountById,
  accountNamed,
  accountShown,
  addAccount,
  changeAccount,
  removeAccount,
} from '../store/bank/bank-account.ts';
import { removeProfile, savedProfiles, saveProfile } from '../store/bank/bank-profile.ts';
import { commit, type ReadableDb } from '../store/sqlite/connection.ts';
import type { BankContext } from './bank-context.ts';

/**
 * Adds or changes a bank account. Throws `not_found`, `conflict` if another account has the same name, and
 * `period_locked` if the kind or currency of an account with closed lines would change.
 */
export function saveAccount(tools: BankContext, input: Inputs['bank']['saveAccount']): BankAccount {
  const { site, id, name, kind, currency = null, window = null } = input;
  const { books } = tools.stores.open(site);
  const content = {
    name,
    kind,
    currency,
    window_from: window?.from_days ?? null,
    window_to: window?.to_days ?? null,
  };
  const savedId = runExclusively(tools, site, 'an account', () =>
    commit(books, () => {
      const before = id === undefined ? null : accountById(books, id);
      if (id !== undefined && before === null) throw contractError(unknownAccountError(id));
      if (before !== null && (before.kind !== kind || before.currency !== currency)) {
        refuseLockedAccount(books, before.id, before.name);
      }
      const sameName = accountNamed(books, name);
      if (sameName !== null && sameName.id !== id) {
        throw contractError({
          code: 'conflict',
          message: `There is an account called “${sameName.name}” already.`,
          hint: 'Choose another name.',
          retryable: false,
        });
      }
      const account = id ?? addAccount(books, content);
      if (id !== undefined) changeAccount(books, id, content);
      const detail = { name, kind, currency, window };
      addAudit(books, {
        at: tools.now(),
        user: tools.user,
        action: 'bank.save-account',
        subject: String(account),
        detail,
      });
      return account;
    }),
  );
  tools.changes.emit(site, 'bank', 'audit');
  return accountShown(books, savedId) as BankAccount;
}

/** Deletes a bank account. Throws `not_found`, and `conflict` if it has or had imports. */
export function deleteAccount(tools: BankContext, site: string, id: number): void {
  const { books } = tools.stores.open(site);
  runExclusively(tools, site, 'an account', () =>
    commit(books, () => {
      const account = accountById(books, id);
      if (account === null) throw contractError(unknownAccountError(id));
      if (!removeAccount(books, id)) {
        throw contractError({
          code: 'conflict',
          message: `“${account.name}” has imports, which stay on record.`,
          hint: 'Remove its imports to take its lines away; the account stays.',
          retryable: false,
        });
      }
      const detail = { name: account.name };
      addAudit(books, {
        at: tools.now(),
        user: tools.user,
        action: 'bank.remove-account',
        subject: String(id),
        detail,
      });
    }),
  );
  tools.changes.emit(site, 'bank', 'audit');
}

function unknownAccountError(id: number) {
  return {
    code: 'not_found' as const,
    message: `There is no account ${id}.`,
    hint: 'See the list of accounts for those there are.',
    retryable: false,
  };
}

/** Returns the saved profiles, followed by the built-in ones. */
export function listProfiles(books: ReadableDb): BankProfile[] {
  const saved = savedProfiles(books).flatMap(({ content }) => {
    const checked = checkProfile(JSON.parse(content));
    return 'profile' in checked ? [toBankProfile(checked.profile, false)] : [];
  });
  return [...saved, ...builtInProfiles.map((profile) => toBankProfile(profile, true))];
}

function toBankProfile(profile: BankFileProfile, built_in: boolean): BankProfile {
  const { name, label, source } = profile;
  return {
    name,
    label,
    source,
    built_in,
    profile: JSON.parse(JSON.stringify(profile)) as BankProfile['profile'],
  };
}

/** Saves a profile. Throws `validation` if it is invalid, and `conflict` if a built-in profile has the same name. */
export function saveBankProfile(tools: BankContext, site: string, input: unknown): BankProfile {
  const checked = checkProfile(input);
  if (!('profile' in checked)) {
    throw contractError({
      code: 'validation',
      message: 'The profile cannot be used.',
      hint: 'Mend what is named.',
      errors: [...checked.faults],
      retryable: false,
    });
  }
  const { profile } = checked;
  if (builtInProfiles.some(({ name }) => name === profile.name)) {
    throw contractError({
      code: 'conflict',
      message: `“${profile.name}” comes with the app.`,
      hint: 'Save it under another name.',
      retryable: false,
    });
  }
  const { books } = tools.stores.open(site);
  const by = { at: tools.now(), user: tools.user };
  commit(books, () => {
    saveProfile(books, { name: profile.name, content: JSON.stringify(profile), ...by });
    addAudit(books, {
      ...by,
      action: 'bank.save-profile',
      subject: profile.name,
      detail: { label: profile.label },
    });
  });
  tools.changes.emit(site, 'bank', 'audit');
  return toBankProfile(profile, false);
}

/** Deletes a saved profile. Throws `not_found`. */
export function deleteBankProfile(tools: BankContext, site: string, name: string): void {
  const { books } = tools.stores.open(site);
  commit(books, () => {
    if (!removeProfile(books, name)) {
      throw contractError({
        code: 'not_found',
        message: `There is no saved profile “${name}”.`,
        hint: 'See the list of profiles for those there are; those built in stay.',
        retryable: false,
      });
    }
    const by = { at: tools.now(), user: tools.user };
    addAudit(books, { ...by, action: 'bank.remove-profile', subject: name, detail: {} });
  });
  tools.changes.emit(site, 'bank', 'audit');
}
