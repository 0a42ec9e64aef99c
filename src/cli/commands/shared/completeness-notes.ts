import type { SyncPartStatus } from '../../../contract/app/sync.ts';
import { formatMissingData } from '../../formatters/sync.ts';
import { sanitizeLine } from '../../output/terminal-text.ts';
import type { SiteContext } from '../../runtime/cli-command.ts';

/** Prints a notice if data of a sync part is missing, because the list may then be incomplete. */
export async function printMissingDataNote(
  { client, site, output }: SiteContext,
  part: SyncPartStatus['part'],
): Promise<void> {
  const { parts, ...status } = await client.sync.status({ site });
  const missing = formatMissingData({ ...status, parts: parts.filter((each) => each.part === part) });
  if (missing !== null) output.notice(sanitizeLine(`${missing} Download with: tieout sync`));
}

/** Prints why exceptions may be missing. Returns true if all records are complete and checked. */
export async function printUncheckedDataNote({ client, site, output }: SiteContext): Promise<boolean> {
  const { freshness, checked, next } = await client.check.summary({ site });
  for (const { kind, message } of next) {
    if (kind === 'sync' || kind === 'problems' || kind === 'check') output.notice(message);
  }
  return freshness.complete && checked.stale === null && checked.waiting === 0;
}

/** Prints why the matches are outdated, or nothing if they are current. */
export async function printOutdatedMatchesNote({ client, site, output }: SiteContext): Promise<void> {
  const { stale } = await client.match.summary({ site });
  if (stale !== null) output.notice(`${stale} Update the matches with: tieout match run`);
}
