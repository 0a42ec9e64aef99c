import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { createNonRetryableError, type Person } from '../../contract/index.ts';
import { isSamePersonName } from '../../domain/periods/index.ts';
import { writeFileDurably } from '../shared/durable-file.ts';

const storedPersonSchema = z.object({
  name: z.string(),
  key: z.string(),
  user: z.string(),
  created_at: z.string(),
});
const peopleFileSchema = z.object({
  people: z.array(storedPersonSchema),
  default: z.string().nullable(),
  /** Public keys (hex) that were replaced. They stay known as keys of this computer. */
  retired_keys: z.array(z.string()).default([]),
});
type PeopleFile = z.infer<typeof peopleFileSchema>;

const peoplePath = (home: string): string => join(home, 'people.json');

/** Reads the people of this computer. Throws `corrupt` if the file exists but is unreadable. */
function readPeopleFile(home: string): PeopleFile {
  const path = peoplePath(home);
  if (!existsSync(path)) return { people: [], default: null, retired_keys: [] };
  try {
    return peopleFileSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    throw createNonRetryableError(
      'corrupt',
      `${path} cannot be read, so the people who sign on this computer are unknown.`,
      'Restore the file from a backup, or delete it and add each person: tieout person add NAME',
    );
  }
}

/** Returns the people who sign on this computer, by name. Throws `corrupt` if their file is unreadable. */
export function listPeople(home: string): Person[] {
  const { people, default: defaultName } = readPeopleFile(home);
  return people
    .map((person) => ({ ...person, is_default: person.name === defaultName }))
    .toSorted((a, b) => a.name.localeCompare(b.name, 'en'));
}

/** Returns the public keys (hex) with which people sign or have signed on this computer. Throws `corrupt`. */
export function listKnownKeys(home: string): string[] {
  const { people, retired_keys } = readPeopleFile(home);
  return [...people.map(({ key }) => key), ...retired_keys];
}

/**
 * Returns the person with this name, or the default person if no name is given. Compares names with `isSamePersonName`.
 * Null if there is none.
 */
export function findPerson(home: string, name: string | undefined): Person | null {
  const isWanted = ({ name: known, is_default }: Person) =>
    name === undefined ? is_default : isSamePersonName(known, name);
  return listPeople(home).find(isWanted) ?? null;
}

/** Saves a person, replacing an earlier person with the same name. A replaced key stays known as a retired key. */
export function savePerson(home: string, { is_default, ...person }: Person): void {
  const file = readPeopleFile(home);
  const retired = file.people.filter(({ name, key }) => name === person.name && key !== person.key);
  const saved: PeopleFile = {
    people: [...file.people.filter(({ name }) => name !== person.name), person],
    default: is_default ? person.name : file.default,
    retired_keys: [...file.retired_keys, ...retired.map(({ key }) => key)],
  };
  writeFileDurably(peoplePath(home), `${JSON.stringify(saved, null, 2)}\n`);
}
