import { bankFiles } from './bank/index.ts';
import { type Choices, realService } from './choices.ts';
import { Clock } from './clock.ts';
import { Endpoint, type EndpointMode } from './deliveries/endpoint.ts';
import type { Outage } from './deliveries/outcome.ts';
import { choosePlants } from './faults/plants.ts';
import { checkedFaults, type FaultSpec, parseFaults } from './faults/spec.ts';
import { Wire } from './faults/wire.ts';
import type { Control } from './http/control.ts';
import { BillingServer } from './http/server.ts';
import { type Header, Journal } from './journal.ts';
import type { Sandbox, SandboxOptions } from './options.ts';
import { Service } from './service.ts';
import { siteOf } from './site.ts';
import { Truth } from './truth.ts';
import { baseAccount } from './world/account.ts';
import { type Shape, shapeOf } from './world/plan.ts';
import { hash, topic } from './world/random.ts';
import { World } from './world/world.ts';
import { addMonths, DAY, Zone } from './zone.ts';

export { type BankFiles, bankFiles } from './bank/index.ts';
export type { Choices } from './choices.ts';
export type { EndpointMode, Received } from './deliveries/endpoint.ts';
export { type FaultSpec, parseFaults } from './faults/spec.ts';
export type { RequestKind } from './http/traffic.ts';
export type { Description, Sandbox, SandboxOptions } from './options.ts';
export type { Pair, Planted, Truth } from './truth.ts';
export { type PlantKind, plantKinds } from './world/plant.ts';

/** The day after October 2026 ended, so that it is a complete month. */
const NOW = '2026-11-01T06:00:00Z';

/**
 * Starts the documented billing service on loopback, with a merchant's endpoint beside it. The same seed and sizes give
 * the same data, byte for byte. Errors: a RangeError for options that make no sense, and whatever listening or the data
 * file gives.
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const {
    port = 0,
    endpointPort = 0,
    seed = 1,
    site: { subdomain } = { subdomain: 'harbor-analytics' },
  } = options;
  const faults = specOf(options.faults ?? {});
  const choices: Choices = { ...realService, ...options.settings, ...faults.set };
  const { journal, header, entries } = Journal.open(options.data, headerOf(options, faults, choices));
  const world = new World(shapeWith(header), header.webhooks ?? undefined);
  const site = siteOf(world, choices, subdomain);
  const clock = new Clock(header.now);
  const outages = outagesOf(header);
  const endpoint = new Endpoint(seed, () =>
    outages.some(({ from, to }) => clock.seconds >= from && clock.seconds < to),
  );
  await endpoint.listen(endpointPort);
  const service = new Service(site, clock, journal, endpoint, header.outage, outages);
  service.restore(entries);
  const wire = new Wire(seed);
  const apiKey =
    options.apiKey ??
    `sandbox-${hash(seed, 4, topic.id).toString(36)}${hash(seed, 5, topic.id).toString(36)}`;
  const truth = new Truth(service);

  const advance = ({ days = 0, months = 0 }: { days?: number; months?: number }): void => {
    if (!(days >= 0 && months >= 0 && days + months > 0)) {
      throw new RangeError('advance needs a number of days or months above 0');
    }
    service.advance(addMonths(clock.seconds, months) + Math.round(days * DAY));
  };
  const setFaults = (given: string | FaultSpec): void => {
    const { plant, tie_seconds, endpoint_down, set, ...spec } = specOf(given);
    if (plant || tie_seconds || endpoint_down || (set?.timeZone ?? choices.timeZone) !== choices.timeZone) {
      throw new RangeError(
        'plant, tie_seconds, endpoint_down and the time zone can be set only when the sandbox starts',
      );
    }
    Object.assign(choices, set);
    service.log.unstableTies = spec.unstable_ties === true;
    wire.set(spec);
  };
  const { plant, tie_seconds, endpoint_down, ...runtime } = faults;
  setFaults(runtime);

  const control: Control = {
    state: () => sandbox.describe(),
    requests: () => server.traffic.counts(),
    reset: () => server.traffic.reset(),
    faults: (given) => setFaults(typeof given['spec'] === 'string' ? given['spec'] : (given as FaultSpec)),
    planted: () => truth.planted(),
    advance: (given) => {
      advance(given);
      return sandbox.describe();
    },
    endpoint: (given) => service.setEndpoint(given as EndpointMode),
    bank: ({ month }) => bankFiles(truth, { seed, ...(typeof month === 'string' && { month }) }),
  };
  const server = new BillingServer(service, apiKey, control, wire);
  await server.listen(port);

  const sandbox: Sandbox = {
    url: server.url,
    apiKey,
    sharedKey: site.sharedKey,
    endpointUrl: endpoint.url,
    requests: server.traffic,
    truth,
    received: endpoint.received,
    accepted: endpoint.accepted,
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
    setFaults,
    deliveries: () => {
      const { health, mostUntried } = service.queue;
      return {
        most_queued: mostUntried,
        failures_in_row: health.failures,
        most_failures_in_row: health.mostFailures,
        paused: health.paused,
        withheld: health.withheld,
      };
    },
    idle: () => service.queue.idle(),
    close: async () => {
      service.close();
      await Promise.all([server.close(), endpoint.close()]);
    },
  };
  return sandbox;
}

const specOf = (faults: string | FaultSpec): FaultSpec =>
  typeof faults === 'string' ? parseFaults(faults) : checkedFaults(faults);

function headerOf(options: SandboxOptions, faults: FaultSpec, choices: Choices): Header {
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
    plant: faults.plant ?? null,
    tie_seconds: whole('tie_seconds', faults.tie_seconds ?? 1, 1),
    endpoint_down: faults.endpoint_down ?? null,
    outage: options.outage ?? true,
  };
}

function whole(name: string, value: number, least: number): number {
  if (Number.isSafeInteger(value) && value >= least) return value;
  throw new RangeError(`${name} must be a whole number of at least ${least}, not ${value}`);
}

/** The shape of the site, with the errors to plant in their places. */
function shapeWith({ seed, subscriptions, months, now, time_zone, plant, tie_seconds }: Header): Shape {
  const clean = shapeOf(seed, subscriptions, months, now / 1000, new Zone(time_zone));
  const month = clean.months.slice(-2) as [number, number];
  const plants = choosePlants(plant ?? {}, seed, subscriptions, (index) => baseAccount(clean, index), month);
  return { ...clean, plants: new Map(plants.map((one) => [one.subscription, one])), tick: tie_seconds };
}

const outagesOf = ({ endpoint_down }: Header): Outage[] =>
  endpoint_down
    ? [
        {
          from: Date.parse(endpoint_down[0]) / 1000,
          to: Date.parse(endpoint_down[1]) / 1000,
          error: '503 Service Unavailable',
        },
      ]
    : [];
