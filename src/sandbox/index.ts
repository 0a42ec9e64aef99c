import { type Choices, realService } from './choices.ts';
import { Clock } from './clock.ts';
import { Endpoint, type EndpointMode } from './deliveries/endpoint.ts';
import type { Control } from './http/control.ts';
import { BillingServer } from './http/server.ts';
import { type Header, Journal } from './journal.ts';
import type { Sandbox, SandboxOptions } from './options.ts';
import { Service } from './service.ts';
import { siteOf } from './site.ts';
import { Truth } from './truth.ts';
import { shapeOf } from './world/plan.ts';
import { hash, topic } from './world/random.ts';
import { World } from './world/world.ts';
import { addMonths, DAY, Zone } from './zone.ts';

export type { Choices } from './choices.ts';
export type { Received } from './deliveries/endpoint.ts';
export type { RequestKind } from './http/traffic.ts';
export type { Description, Sandbox, SandboxOptions } from './options.ts';
export type { Pair, Truth } from './truth.ts';

/** The day after October 2026 ended, so that it is a complete month. */
const NOW = '2026-11-01T06:00:00Z';

/**
 * Starts the documented billing service on loopback, with a merchant's endpoint beside it. The same seed and sizes give
 * the same data, byte for byte.
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const {
    port = 0,
    endpointPort = 0,
    seed = 1,
    site: { subdomain } = { subdomain: 'harbor-analytics' },
  } = options;
  const choices: Choices = { ...realService, ...options.settings };
  const { journal, header, entries } = Journal.open(options.data, headerOf(options, choices));
  const zone = new Zone(header.time_zone);
  const shape = shapeOf(seed, header.subscriptions, header.months, header.now / 1000, zone);
  const site = siteOf(new World(shape, header.webhooks ?? undefined), choices, subdomain);
  const endpoint = new Endpoint(seed);
  await endpoint.listen(endpointPort);
  const clock = new Clock(header.now);
  const service = new Service(site, clock, journal, endpoint, options.outage ?? true);
  service.restore(entries);
  const apiKey =
    options.apiKey ??
    `sandbox-${hash(seed, 4, topic.id).toString(36)}${hash(seed, 5, topic.id).toString(36)}`;

  const advance = ({ days = 0, months = 0 }: { days?: number; months?: number }): void => {
    if (!(days >= 0 && months >= 0 && days + months > 0))
      throw new RangeError('advance needs a number of days or months above 0');
    service.advance(addMonths(clock.seconds, months) + Math.round(days * DAY));
  };
  const control: Control = {
    state: () => sandbox.describe(),
    requests: () => server.traffic.counts(),
    reset: () => server.traffic.reset(),
    advance: (given) => {
      advance(given);
      return sandbox.describe();
    },
    endpoint: (given) => service.setEndpoint(given as EndpointMode),
  };
  const server = new BillingServer(service, apiKey, control);
  await server.listen(port);
  const truth = new Truth(service);

  const sandbox: Sandbox = {
    url: server.url,
    apiKey,
    sharedKey: site.sharedKey,
    endpointUrl: endpoint.url,
    requests: server.traffic,
    truth,
    describe: () => ({
      url: server.url,
      api_key: apiKey,
      endpoint_url: endpoint.url,
      shared_key: site.sharedKey,
      control_url: `${server.url}/sandbox`,
      subdomain,
      seed,
      now: new Date(clock.ms).toISOString(),
      counts: truth.counts(),
    }),
    advance,
    setEndpoint: (mode) => service.setEndpoint(mode),
    idle: () => service.queue.idle(),
    close: async () => {
      service.close();
      await Promise.all([server.close(), endpoint.close()]);
    },
  };
  return sandbox;
}

function headerOf(options: SandboxOptions, choices: Choices): Header {
  const now = Date.parse(options.now ?? NOW);
  if (Number.isNaN(now)) throw new RangeError(`not an instant: ${options.now}`);
  return {
    tieout_sandbox: 1,
    seed: whole('seed', options.seed ?? 1, 0),
    subscriptions: whole('subscriptions', options.subscriptions ?? 60, 1),
    months: whole('months', options.months ?? 6, 1),
    webhooks: options.webhooks === undefined ? null : whole('webhooks', options.webhooks, 0),
    now,
    time_zone: choices.timeZone,
  };
}

function whole(name: string, value: number, least: number): number {
  if (Number.isSafeInteger(value) && value >= least) return value;
  throw new RangeError(`${name} must be a whole number of at least ${least}, not ${value}`);
}
