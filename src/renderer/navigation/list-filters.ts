import type { z } from 'zod';
import {
  auditFilterSchema,
  bankLineFilterSchema,
  componentFilterSchema,
  exceptionFilterSchema,
  matchGroupFilterSchema,
  paymentFilterSchema,
  payoutFilterSchema,
  statementFilterSchema,
  subscriptionFilterSchema,
  webhookFilterSchema,
} from '../../contract/index.ts';
import type { ScreenName } from './route.ts';

/** Filter schema and screen of each list that can be filtered. */
const filterableLists = {
  exceptions: { screen: 'exceptions', schema: exceptionFilterSchema },
  webhooks: { screen: 'webhooks', schema: webhookFilterSchema },
  statements: { screen: 'statements', schema: statementFilterSchema },
  subscriptions: { screen: 'subscriptions', schema: subscriptionFilterSchema },
  bank: { screen: 'bank', schema: bankLineFilterSchema },
  matching: { screen: 'matching', schema: matchGroupFilterSchema },
  allocations: { screen: 'allocations', schema: componentFilterSchema },
  payments: { screen: 'matching', schema: paymentFilterSchema },
  payouts: { screen: 'matching', schema: payoutFilterSchema },
  manualLines: { screen: 'matching', schema: bankLineFilterSchema },
  manualPayments: { screen: 'matching', schema: paymentFilterSchema },
  audit: { screen: 'audit', schema: auditFilterSchema },
} as const satisfies Record<string, { readonly screen: ScreenName; readonly schema: z.ZodObject }>;

export type FilterableList = keyof typeof filterableLists;
/** Filter of each list that can be filtered. */
export type ListFilters = {
  readonly [L in FilterableList]: z.infer<(typeof filterableLists)[L]['schema']>;
};
/** Screens whose own list can be filtered. */
export type FilterableScreen = Extract<FilterableList, ScreenName>;

/** Initial filters. Exceptions and matches show only the items that still need a decision. */
export const defaultFilters: ListFilters = {
  exceptions: { status: ['open'] },
  webhooks: {},
  statements: {},
  subscriptions: {},
  bank: {},
  matching: { status: ['suggested', 'ambiguous'] },
  allocations: {},
  payments: {},
  payouts: {},
  manualLines: {},
  manualPayments: {},
  audit: {},
};

const listNames = Object.keys(filterableLists) as FilterableList[];

/** Screens whose own list can be filtered. */
export const filterableScreens = listNames.filter(
  (list): list is FilterableScreen => filterableLists[list].screen === list,
);

export const getScreenOfList = (list: FilterableList): ScreenName => filterableLists[list].screen;

/** Returns the filterable lists of a screen, its own list first. */
export function getListsOfScreen(screen: ScreenName): FilterableList[] {
  return listNames.filter((list) => filterableLists[list].screen === screen);
}

/** Returns the valid fields of a filter. `unknown` names the fields that the list does not have or accept. */
export function parseListFilter(
  list: FilterableList,
  fields: Readonly<Record<string, unknown>>,
): { readonly filter: ListFilters[FilterableList]; readonly unknown: readonly string[] } {
  const shape: Readonly<Record<string, z.ZodType>> = filterableLists[list].schema.shape;
  const parsed = Object.entries(fields).map(([name, value]) => ({
    name,
    ...(shape[name]?.safeParse(value) ?? { success: false as const }),
  }));
  return {
    filter: Object.fromEntries(parsed.flatMap((field) => (field.success ? [[field.name, field.data]] : []))),
    unknown: parsed.flatMap(({ name, success }) => (success ? [] : [name])),
  };
}
