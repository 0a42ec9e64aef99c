import {
  defaultFilters,
  type FilterableList,
  getListsOfScreen,
  type ListFilters,
  parseListFilter,
} from './list-filters.ts';
import { formatRoute, parseRoute, type Route, type ScreenName } from './route.ts';

/** Key and direction by which a list is sorted. */
export interface ListSort<Key extends string = string> {
  readonly by: Key;
  readonly direction: 'asc' | 'desc';
  /** True if consecutive rows with the same value are shown as a group. */
  readonly isGrouped?: boolean | undefined;
}

/** State that the window's address contains: the route, and filters, sort orders and tabs of the route's screen. */
export interface AddressState {
  readonly route: Route;
  readonly filters: ListFilters;
  /** Sort order of each list by grid name. If undefined, the order that the user last chose applies. */
  readonly sorts: Readonly<Record<string, ListSort | undefined>>;
  /** Selected tab of each tab group. */
  readonly tabs: Readonly<Record<string, string | undefined>>;
}

/** Parsed address. It contains only lists and tab groups of the address's screen. */
export interface ParsedAddress extends Pick<AddressState, 'route' | 'sorts' | 'tabs'> {
  readonly filters: Partial<ListFilters>;
  /** Names of parameters that no list of the screen has, or whose values are invalid. */
  readonly unknown: readonly string[];
}

/** Tab groups whose selection belongs to the address of a screen. */
const tabGroups: { readonly [S in ScreenName]?: readonly string[] } = {
  webhooks: ['body'],
  outages: ['outages'],
  replays: ['replays', 'plan'],
  statements: ['statement', 'comparison', 'html'],
  subscriptions: ['activity'],
};

/** Value of the parameter `filter` for an empty filter of a list whose default filter is not empty. */
const NO_FILTER = 'none';

/** Returns the prefix of a list's parameters: none for the screen's own list, otherwise the name of the list. */
const getPrefix = (list: string, screen: ScreenName) => (list === screen ? '' : `${list}.`);

/**
 * Formats the address of a view as a URL fragment, for example `#/acme/webhooks/17?status=failed&sort=-created_at`. Texts
 * are written unchanged, other values as JSON. Default filters are omitted.
 */
export function formatAddress({ route, filters, sorts, tabs }: AddressState): string {
  const { screen } = route;
  const query = new URLSearchParams();
  for (const list of getListsOfScreen(screen)) {
    for (const [name, value] of getFilterParameters(list, filters)) {
      query.set(getPrefix(list, screen) + name, value);
    }
    const sort = sorts[list];
    if (sort) query.set(`${getPrefix(list, screen)}sort`, formatSort(sort));
  }
  for (const group of tabGroups[screen] ?? []) {
    const tab = tabs[group];
    if (tab !== undefined) query.set(`tab.${group}`, tab);
  }
  return query.size === 0 ? formatRoute(route) : `${formatRoute(route)}?${query}`;
}

function getFilterParameters(list: FilterableList, filters: ListFilters): (readonly [string, string])[] {
  const fields = Object.entries(filters[list]).filter(([, value]) => value !== undefined);
  if (JSON.stringify(Object.fromEntries(fields)) === JSON.stringify(defaultFilters[list])) return [];
  if (fields.length === 0) return [['filter', NO_FILTER]];
  return fields.map(([name, value]) => [name, formatValue(value)]);
}

/** Parses an address. A list without parameters has its default filter. */
export function parseAddress(hash: string): ParsedAddress {
  const [path = '', search = ''] = hash.split(/\?(.*)/s);
  const route = parseRoute(path);
  const parameters = new Map(new URLSearchParams(search));
  const take = (name: string) => {
    const value = parameters.get(name);
    parameters.delete(name);
    return value;
  };
  const tabs = Object.fromEntries(
    (tabGroups[route.screen] ?? []).map((group) => [group, take(`tab.${group}`)]),
  );
  const sorts: Record<string, ListSort | undefined> = {};
  const filters: Partial<Record<FilterableList, object>> = {};
  const unknown: string[] = [];
  // The screen's own list comes last, because it takes all parameters without a known prefix.
  for (const list of getListsOfScreen(route.screen).toReversed()) {
    const prefix = getPrefix(list, route.screen);
    sorts[list] = parseSort(take(`${prefix}sort`));
    const isEmpty = take(`${prefix}filter`) === NO_FILTER;
    const names = [...parameters.keys()].filter((name) => name.startsWith(prefix));
    const fields = names.map((name) => [name.slice(prefix.length), parseValue(take(name) ?? '')]);
    const parsed = parseListFilter(list, Object.fromEntries(fields));
    filters[list] = fields.length === 0 && !isEmpty ? defaultFilters[list] : parsed.filter;
    unknown.push(...parsed.unknown.map((name) => prefix + name));
  }
  return {
    route,
    filters: filters as Partial<ListFilters>,
    sorts,
    tabs,
    unknown: [...unknown, ...parameters.keys()],
  };
}

/** Formats a sort order, for example `-closed_at`, or `customer.grouped` if equal values are shown as groups. */
function formatSort({ by, direction, isGrouped }: ListSort): string {
  return `${direction === 'desc' ? '-' : ''}${by}${isGrouped ? '.grouped' : ''}`;
}

function parseSort(text: string | undefined): ListSort | undefined {
  const [, sign, by, grouped] = /^(-?)([a-z_]{1,40})(\.grouped)?$/.exec(text ?? '') ?? [];
  if (by === undefined) return undefined;
  return { by, direction: sign === '-' ? 'desc' : 'asc', ...(grouped && { isGrouped: true }) };
}

/** Formats a filter value. A text that could be read as JSON is written as JSON. */
function formatValue(value: unknown): string {
  return typeof value === 'string' && parseValue(value) === value ? value : JSON.stringify(value);
}

function parseValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
