import { contractError } from '../../contract/index.ts';

/** What was asked for by its number or name; throws `not_found` where it is not held here. */
export function found<Thing>(thing: Thing | null, what: string, hint: string): Thing {
  if (thing !== null) return thing;
  throw contractError({ code: 'not_found', message: `There is no ${what} here.`, hint, retryable: false });
}
