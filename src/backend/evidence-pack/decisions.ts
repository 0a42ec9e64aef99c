import { listProfiles } from '../bank/accounts.ts';
import { jsonList } from '../shared/json-list.ts';
import { formatTimestamp } from '../shared/timestamps.ts';
import { storedAccounts } from '../store/bank/bank-account.ts';
import { switchedOff } from '../store/checks/rule-switch.ts';
import {
  decidedExceptions,
  decidedItems,
  decidedMatches,
  decidedNotes,
} from '../store/evidence-pack/pack-decisions.ts';
import type { PackSource } from '../store/evidence-pack/pack-rows.ts';
import { listRules } from '../store/matching/match-rule.ts';
import { settingsOf } from '../workpaper/settings.ts';
import type { WorkpaperSite } from '../workpaper/workpaper.ts';

interface DecisionsOf {
  readonly period: string;
  readonly days: { readonly first: string; readonly last: string };
  readonly made_at: string;
  readonly sources: readonly PackSource[];
  /** Returns the path of a source file in the pack. */
  readonly pathOf: (source: PackSource) => string;
}

/** Yields `decisions.json` by the contract's `packDecisions`, one record per line, so that it is never held in memory. */
export function* decisionsJson(
  { file, books }: WorkpaperSite,
  { period, days, made_at, sources, pathOf }: DecisionsOf,
): Generator<string> {
  const head = {
    format: 'tieout-decisions',
    version: 2,
    site: file.site,
    base_url: file.base_url,
    currency: file.currency,
    period,
    made_at,
    accounts: storedAccounts(books).map(({ name, kind, currency, number, window_from, window_to }) => ({
      name,
      kind,
      currency,
      number,
      window:
        window_from === null || window_to === null ? null : { from_days: window_from, to_days: window_to },
    })),
    imports: sources.map((source) => {
      const { id: _id, at, ...rest } = source;
      return { ...rest, path: pathOf(source), at: formatTimestamp(at) };
    }),
    profiles: listProfiles(books)
      .filter(({ built_in }) => !built_in)
      .map(({ name, profile }) => ({ name, profile })),
    rules: listRules(books).map(({ title, enabled, conditions, action }) => ({
      title,
      enabled,
      conditions,
      action,
    })),
    switches: switchedOff(books).map(({ at, ...rest }) => ({ ...rest, at: formatTimestamp(at) })),
    settings: settingsOf(books),
  };
  yield JSON.stringify(head).slice(0, -1);
  /** Position of each match that has notes. */
  const places = new Map<number, number>();
  const lists = {
    // The order matters: a note refers to its match by the position in the list of matches.
    matches: matches(),
    notes: decidedNotes(books, days, (group) => places.get(group) ?? null),
    exceptions: decidedExceptions(books, days),
    items: decidedItems(books, period),
  };
  for (const [name, rows] of Object.entries(lists)) {
    yield ',\n';
    yield* jsonList(name, rows);
  }
  yield '}\n';

  function* matches() {
    let place = 0;
    for (const { id, match } of decidedMatches(books, days)) {
      places.set(id, place++);
      yield match;
    }
  }
}
