import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Person } from '../../contract/index.ts';
import { isSamePersonName } from '../../domain/periods/index.ts';
import { writeFileDurably } from '../shared/durable-file.ts';

const storedPersonSchema = z.object({
  name: z.string(),
  key: z.string(),
  user: z.string(),
  created_at: z.string(),
});
const peopleFileSchema = z.object({ people: z.array(storedPersonSchema), default: z.string().nullable() });
type PeopleFile = z.infer<typeof peopleFileSchema>;

const peoplePath = (home: string): string => join(home, 'people.json');

function readPeopleFile(home: string): PeopleFile {
  try {
    return peopleFileSchema.parse(JSON.parse(readFileSync(peoplePath(home), 'utf8')));
  } catch {
    return { people: [], default: null };
  }
}

/** Returns the people who sign on this computer, by name. Returns no people if the file is missing or unreadable. */
export function listPeople(home: string): Person[] {
  const file = readPeopleFile(home);
  return file.people
    .map((person) => ({ ...person, is_default: person.name === file.default }))
    .toSorted((a, b) => a.name.localeCompare(b.name, 'en'));
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

/** Saves a person, replacing an earlier person with the same name. */
export function savePerson(home: string, { is_default, ...person }: Person): void {
  const file = readPeopleFile(home);
  const people = [...file.people.filter(({ name }) => name !== person.name), person];
  const saved: PeopleFile = { people, default: is_default ? person.name : file.default };
  writeFileDurably(peoplePath(home), `${JSON.stringify(saved, null, 2)}\n`);
}
