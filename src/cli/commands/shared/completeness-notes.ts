import type { PartStatus } from '../../../contract/app/sync.ts';
import type { Client } from '../../../contract/contract.ts';
import { formatMissingData } from '../../formatters/completeness.ts';
import { sanitizeLine } from '../../output/terminal-text.ts';
import type { CommandContext } from '../../runtime/action-runner.ts';

interface Of {
  readonly site: string;
  readonly part: PartStatus['part'];
}

/** Says what of a part is not held, beside what was found in it: a list of what is held is not the whole. */
export async function noteMissingData(
  cli: CommandContext,
  client: Client,
  { site, part }: Of,
): Promise<void> {
  const { parts, ...status } = await client.sync.status({ site });
  const lacking = formatMissingData({ ...status, parts: parts.filter((each) => each.part === part) });
  if (lacking !== null) cli.output.notice(sanitizeLine(`${lacking} Fetch it with: tieout sync`));
}

/** Says where the records that exceptions are found in are not whole, or not checked as they are now; true where they are. */
export async function noteUncheckedData(cli: CommandContext, client: Client, site: string): Promise<boolean> {
  const { freshness, checked, next } = await client.check.summary({ site });
  for (const { what, message } of next) {
    if (what === 'sync' || what === 'problems' || what === 'check') cli.output.notice(message);
  }
  return freshness.complete && checked.stale === null && checked.waiting === 0;
}

/** Says why a run of the matching would find otherwise now. */
export async function noteOutdatedMatches(cli: CommandContext, client: Client, site: string): Promise<void> {
  const { stale } = await client.match.summary({ site });
  if (stale !== null) cli.output.notice(`${stale} Match again with: tieout match run`);
}
