import { generateKeyPairSync } from 'node:crypto';
import { createNonRetryableError, type Person, toContractError } from '../../contract/index.ts';
import type { CommandContext } from '../jobs/command-context.ts';
import { formatTimestamp } from '../shared/timestamps.ts';
import { createEntrySigner, type EntrySigner } from '../store/audit-log/signed-entry.ts';
import { findPersonKey } from '../store/periods/period-audit-entries.ts';
import type { ReadableDb } from '../store/sqlite/connection.ts';
import { findPerson, savePerson } from './people-file.ts';

export type PeopleContext = Pick<CommandContext, 'home' | 'shell' | 'user' | 'now'>;

/** Adds a person with a new key in the keychain. Throws `conflict` if the person exists, and `keychain_unavailable`. */
export async function addPerson(
  context: PeopleContext,
  { name, replace_key }: { name: string; replace_key: boolean },
): Promise<Person> {
  const existing = findPerson(context.home, name);
  if (existing !== null && !replace_key)
    throw createNonRetryableError(
      'conflict',
      `${existing.name} already has a signing key.`,
      'If the key was lost, replace it: tieout person add NAME --replace-key',
    );
  const person = await createPerson(context, existing?.name ?? name);
  return findPerson(context.home, undefined) === null ? setDefaultPerson(context, person.name) : person;
}

async function createPerson({ home, shell, user, now }: PeopleContext, name: string): Promise<Person> {
  const { privateKey } = generateKeyPairSync('ed25519');
  const private_key = privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64');
  const { key } = createEntrySigner(name, private_key);
  await shell.keychain.setSigningKey({ key, private_key });
  const is_default = findPerson(home, undefined)?.name === name;
  const person: Person = { name, key, user, created_at: formatTimestamp(now()), is_default };
  savePerson(home, person);
  return person;
}

/** Makes a person the default signer. Throws `not_found`. */
export function setDefaultPerson({ home }: Pick<PeopleContext, 'home'>, name: string): Person {
  const person = findPerson(home, name);
  if (person === null)
    throw createNonRetryableError(
      'not_found',
      `${name} does not sign on this computer.`,
      'Add the person first: tieout person add NAME',
    );
  const saved = { ...person, is_default: true };
  savePerson(home, saved);
  return saved;
}

/** The person who acts: the name, and a signer if the person has a key. */
export interface ActingPerson {
  readonly name: string;
  /** Null on a computer without a keychain, where sign-offs are not signed. */
  readonly signer: EntrySigner | null;
}

/** Returns the name of the signer: the given name, else the default person, else the user of this computer. */
export const toSignerName = ({ home, user }: Pick<PeopleContext, 'home' | 'user'>, by: string | undefined) =>
  by ?? findPerson(home, undefined)?.name ?? user;

/**
 * Returns the person who signs, who may be named in any spelling. Creates a key for a person without one. Throws
 * `keychain_unavailable` or `not_found` if an existing key cannot be read.
 */
export async function findSigner(
  context: PeopleContext,
  by: string | undefined,
  books?: ReadableDb,
): Promise<ActingPerson> {
  const name = toSignerName(context, by);
  const person = findPerson(context.home, name) ?? (await createPersonIfPossible(context, name, books));
  if (person === null) return { name, signer: null };
  const { private_key } = await context.shell.keychain.getSigningKey({ key: person.key });
  if (private_key === null)
    throw createNonRetryableError(
      'not_found',
      `The signing key of ${person.name} is not in this computer’s keychain.`,
      'Sign on the computer that has the key, or replace it: tieout person add NAME --replace-key',
    );
  return { name: person.name, signer: createEntrySigner(person.name, private_key) };
}

/** Creates a person with a key. Returns null if there is no keychain and the site's log has no key of this person. */
async function createPersonIfPossible(
  context: PeopleContext,
  name: string,
  books: ReadableDb | undefined,
): Promise<Person | null> {
  try {
    return await createPerson(context, name);
  } catch (error) {
    const hasKey = books !== undefined && findPersonKey(books, name) !== null;
    if (hasKey || toContractError(error).code !== 'keychain_unavailable') throw error;
    return null;
  }
}
