import { listBankProfiles } from '../bank/accounts-and-profiles.ts';
import { toJsonList } from '../shared/json-list.ts';
import { formatTimestamp } from '../shared/timestamps.ts';
import { listStoredBankAccounts } from '../store/bank/bank-account.ts';
import { listSwitchedOffRules } from '../store/checks/switched-off-rule.ts';
import type { StoredComment } from '../store/comments/comment.ts';
import {
  readDecidedExceptions,
  readDecidedMatches,
  readPeriodExplanations,
} from '../store/evidence-pack/pack-decisions.ts';
import type { EvidencePackSource } from '../store/evidence-pack/pack-rows.ts';
import { listMatchRules } from '../store/matching/match-rule.ts';
import { readWorkpaperSettings } from '../workpaper/workpaper-settings.ts';
import type { WorkpaperSite } from '../workpaper/workpaper-site.ts';
import { toPackComments } from './pack-comments.ts';

interface DecisionsOptions {
  readonly period: string;
  readonly days: { readonly first: string; readonly last: string };
  readonly made_at: string;
  readonly sources: readonly EvidencePackSource[];
  readonly comments: readonly StoredComment[];
  readonly isInBag: (path: string) => boolean;
  /** Returns the path in the pack for a source file. */
  readonly pathOf: (source: EvidencePackSource) => string;
}

/** Yields `decisions.json` in the contract's format, one record per line, to keep memory use low. */
export function* formatDecisionsJson(
  { file, books }: WorkpaperSite,
  { period, days, made_at, sources, comments, isInBag, pathOf }: DecisionsOptions,
): Generator<string> {
  const head = {
    format: 'tieout-decisions',
    version: 2,
    site: file.site,
    base_url: file.base_url,
    currency: file.currency,
    period,
    made_at,
    accounts: listStoredBankAccounts(books).map(
      ({ name, kind, currency, number, window_from, window_to }) => ({
        name,
        kind,
        currency,
        number,
        window:
          window_from === null || window_to === null ? null : { from_days: window_from, to_days: window_to },
      }),
    ),
    imports: sources.map((source) => {
      const { id: _id, at, ...rest } = source;
      return { ...rest, path: pathOf(source), at: formatTimestamp(at) };
    }),
    profiles: listBankProfiles(books)
      .filter(({ built_in }) => !built_in)
      .map(({ name, profile }) => ({ name, profile })),
    rules: listMatchRules(books).map(({ title, enabled, conditions, action }) => ({
      title,
      enabled,
      conditions,
      action,
    })),
    switches: listSwitchedOffRules(books).map(({ at, ...rest }) => ({ ...rest, at: formatTimestamp(at) })),
    settings: readWorkpaperSettings(books),
  };
  yield JSON.stringify(head).slice(0, -1);
  /** Position of each exported match, by match id. */
  const matchIndexes = new Map<number, number>();
  const lists = {
    matches: matches(),
    exceptions: readDecidedExceptions(books, days),
    items: readPeriodExplanations(books, period),
    // Comments must come after matches, because they refer to a match by its position.
    comments: toPackComments(books, comments, {
      positionOf: (match) => matchIndexes.get(match) ?? null,
      isInBag,
    }),
  };
  for (const [name, rows] of Object.entries(lists)) {
    yield ',\n';
    yield* toJsonList(name, rows);
  }
  yield '}\n';

  function* matches() {
    let nextIndex = 0;
    for (const { id, match } of readDecidedMatches(books, days)) {
      matchIndexes.set(id, nextIndex++);
      yield match;
    }
  }
}
