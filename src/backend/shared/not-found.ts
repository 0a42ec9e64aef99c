import { contractError } from '../../contract/index.ts';

/** Returns a requested record. Throws `not_found` if it is not stored. */
export function requireFound<Thing>(thing: Thing | null, what: string, hint: string): Thing {
  if (thing !== null) return thing;
  throw contractError({ code: 'not_found', message: `There is no ${what} here.`, hint, retryable: false });
}
