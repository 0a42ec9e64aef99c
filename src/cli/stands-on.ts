import type { Client } from '../contract/contract.ts';
import type { PartStatus } from '../contract/sync.ts';
import type { Cli } from './act.ts';
import { printable } from './output/text.ts';
import { missing } from './words/missing.ts';

interface Of {
  readonly site: string;
  readonly part: PartStatus['part'];
}

/** Says what of a part is not held, beside what was found in it: a list of what is held is not the whole. */
export async function sayMissing(cli: Cli, client: Client, { site, part }: Of): Promise<void> {
  const { parts, ...status } = await client.sync.status({ site });
  const lacking = missing({ ...status, parts: parts.filter((each) => each.part === part) });
  if (lacking !== null) cli.out.note(printable(`${lacking} Fetch it with: tieout sync`));
}

/** Says where the records that exceptions are found in are not whole, or not checked as they are now; true where they are. */
export async function sayUnchecked(cli: Cli, client: Client, site: string): Promise<boolean> {
  const { freshness, checked, next } = await client.check.summary({ site });
  for (const { what, message } of next) {
    if (what === 'sync' || what === 'problems' || what === 'check') cli.out.note(message);
  }
  return freshness.complete && checked.stale === null && checked.waiting === 0;
}

/** Says why a run of the matching would find otherwise now. */
export async function sayUnmatched(cli: Cli, client: Client, site: string): Promise<void> {
  const { stale } = await client.match.summary({ site });
  if (stale !== null) cli.out.note(`${stale} Match again with: tieout match run`);
}
