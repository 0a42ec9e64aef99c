import type { PartStatus } from '../../../contract/app/sync.ts';
import type { Client } from '../../../contract/contract.ts';
import { formatMissingData } from '../../formatters/completeness.ts';
import { sanitizeLine } from '../../output/terminal-text.ts';
import type { CommandContext } from '../../runtime/action-runner.ts';

interface SyncPartRef {
  readonly site: string;
  readonly part: PartStatus['part'];
}

/** Prints a note about missing data of a sync part, because a list of stored records may be incomplete. */
export async function printMissingDataNote(
  cli: CommandContext,
  client: Client,
  { site, part }: SyncPartRef,
): Promise<void> {
  const { parts, ...status } = await client.sync.status({ site });
  const missing = formatMissingData({ ...status, parts: parts.filter((each) => each.part === part) });
  if (missing !== null) cli.output.notice(sanitizeLine(`${missing} Download with: tieout sync`));
}

/** Prints the reasons why exceptions may be missing. Returns true if all records are complete and checked. */
export async function printUncheckedDataNote(
  cli: CommandContext,
  client: Client,
  site: string,
): Promise<boolean> {
  const { freshness, checked, next } = await client.check.summary({ site });
  for (const { kind, message } of next) {
    if (kind === 'sync' || kind === 'problems' || kind === 'check') cli.output.notice(message);
  }
  return freshness.complete && checked.stale === null && checked.waiting === 0;
}

/** Prints the reason why the matches are outdated, if they are. */
export async function printOutdatedMatchesNote(
  cli: CommandContext,
  client: Client,
  site: string,
): Promise<void> {
  const { stale } = await client.match.summary({ site });
  if (stale !== null) cli.output.notice(`${stale} Update the matches with: tieout match run`);
}
