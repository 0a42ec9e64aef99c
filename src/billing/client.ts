import { parseBaseUrl } from './address.ts';
import { allocationShape, newAllocationBody, newAllocationsBody } from './allocations.ts';
import type { Format } from './answers.ts';
import { listOf, recordOf, replayStatus, statementIds } from './contents.ts';
import { BillingError } from './errors.ts';
import type {
  BillingClient,
  BillingClientOptions,
  CallOptions,
  ListAnswer,
  RecordAnswer,
} from './operations.ts';
import { createPacing } from './pacing.ts';
import { openPdf } from './pdf.ts';
import { type Answer, type Call, perform, type Request, type Requesting } from './requests.ts';
import { statementShape } from './statements.ts';
import { createTransport, type Timeouts } from './transport.ts';
import { webhookShape } from './webhooks.ts';
import { allocationXml, replayXml } from './xml-bodies.ts';

const TIMEOUTS: Timeouts = { connect: 10_000, headers: 130_000, body: 60_000, total: 600_000 };
const ACCEPT: Readonly<Record<Format, string>> = { json: 'application/json', xml: 'application/xml' };

function wanted(name: string, value: number): string {
  if (Number.isSafeInteger(value) && value >= 0) return String(value);
  throw new BillingError('validation', `${value} is not a ${name} id.`, { hint: 'Ids are whole numbers.' });
}

function withQuery(path: string, query: object): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) parameters.set(name, String(value));
  }
  const text = parameters.toString();
  return text === '' ? path : `${path}?${text}`;
}

function listed<Entity>({ value, problems, meta }: Answer<Entity[]>): ListAnswer<Entity> {
  return { items: value, problems, meta };
}

function single<Entity>({ value, problems, meta }: Answer<Entity | null>): RecordAnswer<Entity> {
  return { item: value, problems, meta };
}

/**
 * A client of one site's billing service. Checks the address at once (throws `validation`); nothing is sent before the
 * first call. One client a site: its pacing is what keeps the site's limits.
 */
export function createBillingClient(options: BillingClientOptions): BillingClient {
  const { format, now = Date.now } = options;
  const address = parseBaseUrl(options.baseUrl);
  const pacing = createPacing({ now, ...options.pacing });
  const transport = createTransport(address, pacing.state().max, { ...TIMEOUTS, ...options.timeouts });
  const requesting: Requesting = {
    address,
    transport,
    pacing,
    key: options.key,
    now,
    onRequest: options.onRequest,
    reached: false,
  };
  const life = new AbortController();
  const ends = options.signal ? AbortSignal.any([life.signal, options.signal]) : life.signal;

  /** One for all requests of a run: a combined signal each would be costly to clear away. */
  const combined = new WeakMap<AbortSignal, AbortSignal>();
  function endsWith(signal: AbortSignal): AbortSignal {
    const known = combined.get(signal);
    if (known !== undefined) return known;
    const made = AbortSignal.any([ends, signal]);
    combined.set(signal, made);
    return made;
  }

  type Parts = Pick<Request, 'kind' | 'path' | 'doing' | 'missing'>;

  function request(parts: Parts, { signal, tries }: CallOptions, posted?: Request['content']): Request {
    return {
      ...parts,
      host: address.host,
      method: posted === undefined ? 'GET' : 'POST',
      write: posted !== undefined,
      accept: ACCEPT[format],
      content: posted ?? null,
      signal: signal ? endsWith(signal) : ends,
      tries,
    };
  }

  const call = <T>(
    parts: Parts,
    read: Call<T>['read'],
    callOptions: CallOptions,
    posted?: Request['content'],
  ): Call<T> => ({ ...request(parts, callOptions, posted), format, read });

  const pair = (subscription: number, component: number) => ({
    path: `/subscriptions/${wanted('subscription', subscription)}/components/${wanted('component', component)}`,
    missing: `has no subscription ${subscription} with a component ${component}`,
    named: `component ${component} on subscription ${subscription}`,
  });

  const json = (body: object) => ({ type: 'application/json', text: JSON.stringify(body) });
  const xml = (text: string) => ({ type: 'application/xml', text });

  return {
    async listWebhooks(query = {}, callOptions = {}) {
      const parts: Parts = {
        kind: 'webhooks',
        path: withQuery(`/webhooks.${format}`, query),
        doing: 'listing webhooks',
        missing: 'has no webhook log at this address',
      };
      return listed(await perform(requesting, call(parts, listOf('webhooks', webhookShape), callOptions)));
    },

    async replayWebhooks(ids, callOptions = {}) {
      for (const id of ids) wanted('webhook', id);
      if (ids.length === 0) {
        throw new BillingError('validation', 'No webhooks were given to replay.', {
          hint: 'Choose at least one.',
        });
      }
      const parts: Parts = {
        kind: 'replay',
        path: `/webhooks/replay.${format}`,
        doing: ids.length === 1 ? `replaying webhook ${ids[0]}` : `replaying ${ids.length} webhooks`,
        missing: 'cannot replay webhooks at this address',
      };
      const posted = format === 'json' ? json({ ids }) : xml(replayXml(ids));
      const { value, meta } = await perform(requesting, call(parts, replayStatus, callOptions, posted));
      return { status: value, meta };
    },

    async listAllocations(subscription, component, page, { format: by = format, ...callOptions } = {}) {
      const { path, missing, named } = pair(subscription, component);
      const parts: Parts = {
        kind: 'allocations',
        path: withQuery(`${path}/allocations.${by}`, { page }),
        doing: `listing the allocations of ${named}`,
        missing,
      };
      const reading = call(parts, listOf('allocations', allocationShape), callOptions);
      return listed(await perform(requesting, { ...reading, format: by, accept: ACCEPT[by] }));
    },

    async createAllocation(subscription, component, input, callOptions = {}) {
      const { path, missing, named } = pair(subscription, component);
      const body = newAllocationBody(input);
      const parts: Parts = {
        kind: 'create_allocation',
        path: `${path}/allocations.${format}`,
        doing: `creating an allocation of ${named}`,
        missing,
      };
      const posted = format === 'json' ? json(body) : xml(allocationXml(body));
      const reading = recordOf('allocation', allocationShape);
      return single(
        await perform(requesting, { ...call(parts, reading, callOptions, posted), created: null }),
      );
    },

    async createAllocations(subscription, input, callOptions = {}) {
      const parts: Parts = {
        kind: 'create_allocations',
        path: `/subscriptions/${wanted('subscription', subscription)}/allocations.json`,
        doing: `creating ${input.allocations.length} allocations on subscription ${subscription}`,
        missing: `has no subscription ${subscription}, or not all of these components on it`,
      };
      const posted = json(newAllocationsBody(input));
      const reading = listOf('allocations', allocationShape);
      return listed(
        await perform(requesting, {
          ...call(parts, reading, callOptions, posted),
          format: 'json',
          accept: ACCEPT.json,
          created: [],
        }),
      );
    },

    async listStatementIdsOfSubscription(subscription, query = {}, callOptions = {}) {
      const parts: Parts = {
        kind: 'statement_ids',
        path: withQuery(
          `/subscriptions/${wanted('subscription', subscription)}/statements/ids.${format}`,
          query,
        ),
        doing: `listing the statement ids of subscription ${subscription}`,
        missing: `has no subscription ${subscription}`,
      };
      return listed(await perform(requesting, call(parts, statementIds, callOptions)));
    },

    async listStatementIds(query = {}, callOptions = {}) {
      const parts: Parts = {
        kind: 'statement_ids',
        path: withQuery(`/statements/ids.${format}`, query),
        doing: 'listing the statement ids of the site',
        missing: 'has no statements at this address',
      };
      return listed(await perform(requesting, call(parts, statementIds, callOptions)));
    },

    async listStatements(subscription, query = {}, callOptions = {}) {
      const parts: Parts = {
        kind: 'statements',
        path: withQuery(`/subscriptions/${wanted('subscription', subscription)}/statements.${format}`, query),
        doing: `listing the statements of subscription ${subscription}`,
        missing: `has no subscription ${subscription}`,
      };
      return listed(
        await perform(requesting, call(parts, listOf('statements', statementShape), callOptions)),
      );
    },

    async readStatement(id, callOptions = {}) {
      const parts: Parts = {
        kind: 'statement',
        path: `/statements/${wanted('statement', id)}.${format}`,
        doing: `reading statement ${id}`,
        missing: `has no statement ${id}`,
      };
      return single(
        await perform(requesting, call(parts, recordOf('statement', statementShape), callOptions)),
      );
    },

    async readStatementPdf(id, { by = 'suffix', ...callOptions } = {}) {
      const parts: Parts = {
        kind: 'statement_pdf',
        path: `/statements/${wanted('statement', id)}${by === 'suffix' ? '.pdf' : ''}`,
        doing: `fetching the PDF of statement ${id}`,
        missing: `has no statement ${id}`,
      };
      return openPdf(requesting, {
        ...request(parts, callOptions),
        accept: 'application/pdf',
        content: by === 'header' ? { type: 'application/pdf', text: '' } : null,
      });
    },

    pacing: { state: pacing.state },

    async close() {
      life.abort();
      await transport.close();
    },
  };
}
