import { createUsageError } from '../../errors/cli-error.ts';
import type { SiteContext } from '../../runtime/cli-command.ts';

/** Returns the ids of the accounts with these names. Throws a usage error for an unknown name. */
export async function findBankAccountIds(
  { client, site }: SiteContext,
  names: readonly string[],
): Promise<number[]> {
  const accounts = await client.bank.accounts({ site });
  return names.map((name) => {
    const account = accounts.find((each) => each.name.toLowerCase() === name.toLowerCase());
    if (account !== undefined) return account.id;
    const known = accounts.map((each) => each.name).join(', ');
    const hint = known === '' ? 'Import a file first.' : `Available accounts: ${known}.`;
    throw createUsageError(`Account “${name}” does not exist.`, hint);
  });
}
