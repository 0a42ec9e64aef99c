import type { Client } from '../../../contract/contract.ts';
import { usageError } from '../../errors/cli-error.ts';

/** Returns the ids of the accounts with the given names. Throws a usage error if a name is unknown. */
export async function findAccountIds(
  client: Client,
  site: string,
  names: readonly string[],
): Promise<number[]> {
  const accounts = await client.bank.accounts({ site });
  return names.map((name) => {
    const account = accounts.find((each) => each.name.toLowerCase() === name.toLowerCase());
    if (account !== undefined) return account.id;
    const known = accounts.map((each) => each.name).join(', ');
    throw usageError(
      `Account “${name}” does not exist.`,
      known === '' ? 'Import a file first.' : `Available accounts: ${known}.`,
    );
  });
}
