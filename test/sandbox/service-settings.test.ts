import { describe, expect, test } from 'vitest';
import { defaultServiceSettings, type ServiceSettings } from '../../src/sandbox/site/service-settings.ts';
import { type JsonObject, type SandboxClient, startTestSandbox } from './sandbox-client.ts';

const firstSubscription = ({ sandbox }: SandboxClient): number =>
  [...sandbox.truth.subscriptions()][0] as number;
const countRows = async ({ get }: SandboxClient, path: string): Promise<number> => {
  const body = (await get(path)).json() as unknown[] | { statement_ids: unknown[] };
  return (Array.isArray(body) ? body : body.statement_ids).length;
};

/** Per setting that no other test covers: a value, a function that observes its effect, and the expected result. */
const settingCases: Partial<{
  [K in keyof ServiceSettings]: [
    value: ServiceSettings[K],
    see: (client: SandboxClient) => Promise<unknown>,
    expected: unknown,
  ];
}> = {
  maxPerPage: [30, (client) => countRows(client, '/webhooks.json?per_page=200'), 30],
  statementsPerPage: [
    2,
    (client) => countRows(client, `/subscriptions/${firstSubscription(client)}/statements.json`),
    2,
  ],
  idsPerPage: [40, (client) => countRows(client, '/statements/ids.json'), 40],
  defaultOrder: [
    'oldest_first',
    async ({ getList, sandbox }) =>
      (await getList('/webhooks.json'))[0]?.['id'] === [...sandbox.truth.webhooks()][0]?.['id'],
    true,
  ],
  logBegins: [
    Date.parse('2026-10-20T00:00:00Z') / 1000,
    async ({ getList }) => {
      const [oldest] = await getList('/webhooks.json?order=oldest_first&per_page=1');
      return String(oldest?.['created_at']) >= '2026-10-19T20:00:00-04:00';
    },
    true,
  ],
  statementsDirection: [
    'desc',
    async (client) => {
      const statements = await client.getList(`/subscriptions/${firstSubscription(client)}/statements.json`);
      return statements.map(({ closed_at }) => closed_at).indexOf(null);
    },
    0,
  ],
  openStatements: [
    'last',
    async (client) => {
      const path = `/subscriptions/${firstSubscription(client)}/statements/ids.json?sort=closed_at`;
      const { statement_ids } = (await client.get(path)).json() as { statement_ids: number[] };
      return client.sandbox.truth.statement(statement_ids.at(-1) as number)?.['closed_at'];
    },
    null,
  ],
  replayLimit: [
    2,
    async ({ post }) => (await post('/webhooks/replay.json', { ids: [1, 2, 3] })).json(),
    { errors: ['Ids: cannot be more than 2.'] },
  ],
  upgradeScheme: ['no-prorate', readAllocation('proration_upgrade_scheme'), 'no-prorate'],
  downgradeScheme: ['prorate', readAllocation('proration_downgrade_scheme'), 'prorate'],
  minQuantity: [1, readAllocation('errors', 0), ['Quantity: must be greater than or equal to 1.']],
  hmacInLog: [
    false,
    async ({ getList }) => (await getList('/webhooks.json'))[0]?.['signature_hmac_sha_256'],
    undefined,
  ],
  laterFields: [
    false,
    async ({ sandbox }) => {
      const [statement] = [...sandbox.truth.statements()] as [JsonObject];
      const [entry] = statement['transactions'] as JsonObject[];
      return [statement['total_in_cents'], Object.keys(entry ?? {}).length];
    },
    [undefined, 14],
  ],
};

function readAllocation(field: string, quantity = 50) {
  return async (client: SandboxClient): Promise<unknown> => {
    const path = `/subscriptions/${firstSubscription(client)}/components/277222/allocations.json`;
    const body = (await client.post(path, { allocation: { quantity } })).json() as JsonObject;
    return ((body['allocation'] as JsonObject | undefined) ?? body)[field];
  };
}

describe('behavior that the interface document leaves open', () => {
  test('is like the real service’s by default', () => {
    expect(defaultServiceSettings).toMatchObject({
      maxPerPage: 200,
      replayLimit: 1000,
      acceptWithin: 15,
      retryAfter: [10, 15, 90, 180],
      timeScale: 1,
      idsPerPage: 10_000,
      timeZone: 'America/New_York',
    });
  });

  test.each(Object.entries(settingCases))('can be chosen by the option %s', async (name, settingCase) => {
    const [value, see, expected] = settingCase as [
      unknown,
      (client: SandboxClient) => Promise<unknown>,
      unknown,
    ];
    expect(await see(await startTestSandbox({ settings: { [name]: value } }))).toEqual(expected);
    expect(await see(await startTestSandbox())).not.toEqual(expected);
  });
});
