import type { Client, Inputs } from '../../contract/index.ts';
import type { FindState } from '../pdf/find-state.ts';

type FindInput = Inputs['statements']['find'];

/** Returns the search parameters for the backend, or null if there is no search text. */
export function toPdfSearch({
  words,
  matchCase,
  wholeWord,
}: Pick<FindState, 'words' | 'matchCase' | 'wholeWord'>): Pick<
  FindInput,
  'words' | 'match_case' | 'whole_word'
> | null {
  const plain = words.trim();
  return plain === '' ? null : { words: plain, match_case: matchCase, whole_word: wholeWord };
}

/** Returns the next or previous statement in the list whose PDF matches the search, or null if there is none. */
export async function findNextMatchingStatement(
  client: Client,
  input: Omit<FindInput, 'after' | 'limit'>,
): Promise<number | null> {
  let after: string | undefined;
  do {
    const { rows, next } = await client.statements.find({ ...input, limit: 1, after });
    const [found] = rows;
    if (found) return found.id;
    after = next ?? undefined;
  } while (after !== undefined);
  return null;
}
