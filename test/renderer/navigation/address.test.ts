import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type AddressState, formatAddress, parseAddress } from '../../../src/renderer/navigation/address.ts';
import { defaultFilters } from '../../../src/renderer/navigation/list-filters.ts';

const webhooks: AddressState = {
  route: { site: 'acme', screen: 'webhooks', item: '17' },
  filters: defaultFilters,
  sorts: {},
  tabs: {},
};

test('a view is parsed back from its address', () => {
  const text = fc.string({ maxLength: 40 });
  const filter = fc.record(
    {
      search: text,
      event: fc.array(text),
      url: text,
      subscription_id: fc.nat(),
      status: fc.constantFrom('failed' as const, 'pending' as const),
      since: fc.constantFrom('2026-01-31', '2026-10-01'),
    },
    { requiredKeys: [] },
  );
  const sort = fc.record({
    by: fc.constantFrom('event', 'created_at'),
    direction: fc.constantFrom('asc', 'desc'),
  });
  fc.assert(
    fc.property(filter, fc.option(sort, { nil: undefined }), (found, order) => {
      const view = {
        ...webhooks,
        filters: { ...defaultFilters, webhooks: found },
        sorts: { webhooks: order as AddressState['sorts'][string] },
        tabs: { body: 'raw' },
      };
      const parsed = parseAddress(formatAddress(view));
      expect(parsed.filters.webhooks).toEqual(found);
      expect(parsed.sorts['webhooks']).toEqual(order);
      expect(parsed).toMatchObject({ route: view.route, tabs: { body: 'raw' }, unknown: [] });
    }),
  );
});

test('default filters are omitted, and an emptied default filter is kept', () => {
  const route = { site: 'acme', screen: 'exceptions', item: null } as const;
  expect(formatAddress({ ...webhooks, route })).toBe('#/acme/exceptions');
  const all = formatAddress({ ...webhooks, route, filters: { ...defaultFilters, exceptions: {} } });
  expect(all).toBe('#/acme/exceptions?filter=none');
  expect(parseAddress(all).filters.exceptions).toEqual({});
  expect(parseAddress('#/acme/exceptions').filters.exceptions).toEqual({ status: ['open'] });
});

test('each list of a screen has its own parameters', () => {
  const view: AddressState = {
    ...webhooks,
    route: { site: 'acme', screen: 'matching', item: 'payments-80' },
    filters: {
      ...defaultFilters,
      matching: { min_in_cents: 500 },
      payments: { search: '19.90', vanished: true },
    },
    sorts: { payments: { by: 'paid_on', direction: 'asc' } },
  };
  const address = formatAddress(view);
  expect(address).toContain('payments.search=%2219.90%22');
  const { filters, sorts } = parseAddress(address);
  expect(filters).toMatchObject({
    matching: { min_in_cents: 500 },
    payments: { search: '19.90', vanished: true },
    payouts: {},
  });
  expect(sorts['payments']).toEqual({ by: 'paid_on', direction: 'asc' });
});

test.each([
  ['#/acme/webhooks?status=exploded&event=7', ['status', 'event']],
  ['#/acme/webhooks?size=large', ['size']],
  ['#/acme/settings?status=failed', ['status']],
  ['#/acme/webhooks?sort=%27;--', []],
])('invalid parameters of %s are named and ignored', (address, unknown) => {
  const parsed = parseAddress(address);
  expect(parsed.unknown).toEqual(unknown);
  expect(parsed.filters.webhooks ?? {}).toEqual({});
});

test('a grouped sort order is part of the address', () => {
  const sorts = { webhooks: { by: 'event', direction: 'desc', isGrouped: true } } as const;
  const address = formatAddress({ ...webhooks, sorts });
  expect(address).toBe('#/acme/webhooks/17?sort=-event.grouped');
  expect(parseAddress(address).sorts['webhooks']).toEqual(sorts.webhooks);
  expect(parseAddress('#/acme/webhooks?sort=event').sorts['webhooks']).toEqual({
    by: 'event',
    direction: 'asc',
  });
});
