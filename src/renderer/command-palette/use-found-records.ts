import {
  CircleAlert,
  FileText,
  Landmark,
  ListFilter,
  type LucideIcon,
  Receipt,
  Users,
  Webhook,
} from 'lucide-react';
import type { SearchResults, Site } from '../../contract/index.ts';
import {
  describeSearchResults,
  type FoundRecord,
  type FoundRecordGroup,
  type FoundRecordKind,
} from '../../domain/search-results/found-records.ts';
import { useQuery } from '../backend-client/backend-hooks.ts';
import { useDebouncedValue } from '../controls/use-debounced-value.ts';
import { openMatchingTab } from '../matching/shared/matching-route.ts';
import { openRecordLocation, recordLocations } from '../navigation/record-location.ts';
import { openFilteredList } from '../navigation/window-state.ts';
import { openStatementPassage } from '../statements/open-passage.ts';
import { formatDate, formatDateTime } from '../texts/date-times.ts';
import { formatMoney } from '../texts/money.ts';
import { texts } from '../texts/texts.ts';
import type { PaletteEntry, PaletteGroup } from './palette-entries.ts';

const text = texts.palette;

/** Delay between the last typed character and the search, in milliseconds. Chosen by judgment. */
const SEARCH_DEBOUNCE_MS = 60;
/** Minimum length of a text that is searched. A single character matches too much. */
const MIN_TEXT_LENGTH = 2;
const RECORDS_PER_KIND = 5;

interface RecordKind {
  readonly icon: LucideIcon;
  /** Opens the record on its screen. */
  open(record: FoundRecord, typed: string, results: SearchResults): void;
  /** Opens the list of all records that contain the text. */
  openList(search: string): void;
}

const kinds: Record<FoundRecordKind, RecordKind> = {
  customers: {
    icon: Users,
    open: ({ id }) => openRecordLocation(recordLocations.subscription(id)),
    openList: (search) => openFilteredList('subscriptions', { search }),
  },
  statements: {
    icon: FileText,
    open: ({ id }, typed, { statements }) => {
      openRecordLocation(recordLocations.statement(id));
      const found = statements.rows.find((row) => row.id === id);
      if (found) openStatementPassage(found, typed);
    },
    openList: (search) => openFilteredList('statements', { search }),
  },
  payments: {
    icon: Receipt,
    open: ({ id }) => openMatchingTab('payments', id),
    openList: (search) => openFilteredList('payments', { search }, 'payments'),
  },
  lines: {
    icon: Landmark,
    open: ({ id }) => openRecordLocation(recordLocations.bankLine(id)),
    openList: (search) => openFilteredList('bank', { search }),
  },
  exceptions: {
    icon: CircleAlert,
    open: ({ id }) => openRecordLocation(recordLocations.exception(id)),
    openList: (search) => openFilteredList('exceptions', { search }),
  },
  webhooks: {
    icon: Webhook,
    open: ({ id }) => openRecordLocation(recordLocations.webhook(id)),
    openList: (search) => openFilteredList('webhooks', { search }),
  },
};

/** Returns the records of a site that contain the typed text, by kind, and a note if the search is not complete. */
export function useFoundRecords(
  site: Site | null,
  typed: string,
): { readonly groups: PaletteGroup[]; readonly note: string | null } {
  const words = useDebouncedValue(typed.trim(), SEARCH_DEBOUNCE_MS);
  const isSearched = site !== null && words.length >= MIN_TEXT_LENGTH;
  const { data, isPreviousData } = useQuery(
    'search.find',
    isSearched ? { site: site.site, text: words, limit: RECORDS_PER_KIND } : null,
  );
  if (!isSearched || data === undefined) return { groups: [], note: null };
  const found = describeSearchResults(data, {
    money: (cents, currency) => formatMoney(cents, currency ?? site.currency),
    date: formatDate,
    moment: formatDateTime,
  });
  // An answer to an earlier text may contain records that do not contain the text typed since.
  const isFound = !isPreviousData && words === typed.trim();
  const groups = found.map((group): PaletteGroup => {
    const records = group.records.map((record) => toEntry(record, words, data));
    const entries = [...records, ...listEntry(group, words)];
    return [text.kinds[group.kind], entries.map((entry) => ({ ...entry, isFound }))];
  });
  const { webhooks, statements, pdfs } = data.unsearched;
  return { groups, note: webhooks + statements + pdfs > 0 ? text.indexing : null };
}

function toEntry(record: FoundRecord, words: string, results: SearchResults): PaletteEntry {
  const { kind, id, title, detail } = record;
  return {
    id: `${kind}.${id}`,
    title,
    detail,
    icon: kinds[kind].icon,
    run: () => kinds[kind].open(record, words, results),
  };
}

/** Returns the entry that opens the complete list, if it may contain further records. */
function listEntry({ kind, more, complete }: FoundRecordGroup, words: string): PaletteEntry[] {
  if (!more && complete) return [];
  const title = complete ? text.showAll(words) : text.searchAll(words);
  return [{ id: `${kind}.all`, title, icon: ListFilter, run: () => kinds[kind].openList(words) }];
}
