import { MerchantEndpoint } from './deliveries/merchant-endpoint.ts';
import type { EndpointOutage } from './deliveries/past-deliveries.ts';
import { choosePlantedErrors } from './faults/choose-planted-errors.ts';
import type { FaultSpec } from './faults/fault-spec.ts';
import { Sandbox, toFaultSpec } from './running-sandbox.ts';
import type { SandboxOptions } from './sandbox-options.ts';
import { BillingService } from './service/billing-service.ts';
import { SandboxJournal, type SandboxJournalHeader } from './service/sandbox-journal.ts';
import { SandboxClock } from './simulation/sandbox-clock.ts';
import { hashNumbers, randomTopics } from './simulation/seeded-random.ts';
import { createSiteParameters, type SiteParameters } from './simulation/site-parameters.ts';
import { SiteSimulation } from './simulation/site-simulation.ts';
import { createBaseSubscriptionAccount } from './simulation/subscription-account.ts';
import { TimeZone } from './simulation/time-zone.ts';
import { createMerchantSite } from './site/merchant-site.ts';
import { defaultServiceSettings, type ServiceSettings } from './site/service-settings.ts';

export { createMonthlyBankFiles, type MonthlyBankFiles } from './bank/index.ts';
export type { EndpointBehavior, ReceivedWebhook } from './deliveries/merchant-endpoint.ts';
export { type FaultSpec, parseFaultSpec } from './faults/fault-spec.ts';
export type { RequestKind } from './http/request-log.ts';
export type { Sandbox } from './running-sandbox.ts';
export type { SandboxDescription, SandboxOptions } from './sandbox-options.ts';
export type {
  GroundTruth,
  PlantedError,
  SubscriptionComponent,
  UngeneratedWebhook,
} from './service/ground-truth.ts';
export { type PlantedErrorKind, plantedErrorKinds } from './simulation/planted-error-kinds.ts';
export type { ServiceSettings } from './site/service-settings.ts';

/** Default start of the clock: November 1, 2026, so that October 2026 is a complete month. */
const NOW = '2026-11-01T06:00:00Z';

/**
 * Starts the simulated billing service and a merchant's endpoint on the loopback interface. The same seed and sizes give
 * the same data, byte for byte. Throws RangeError for invalid options. Rejects if a port is in use or the data file
 * cannot be used.
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const { port = 0, endpointPort = 0, seed = 1 } = options;
  const { subdomain } = options.site ?? { subdomain: 'harbor-analytics' };
  const faults = toFaultSpec(options.faults ?? {});
  const settings: ServiceSettings = { ...defaultServiceSettings, ...options.settings, ...faults.set };
  const { journal, header, entries } = SandboxJournal.open(options.data, toHeader(options, faults, settings));
  const simulation = new SiteSimulation(siteParameters(header), header.webhooks ?? undefined);
  const site = createMerchantSite(simulation, settings, { subdomain, sharedKey: options.sharedKey });
  const clock = new SandboxClock(header.now);
  const outages = plannedOutages(header);
  const endpoint = new MerchantEndpoint(seed, () =>
    outages.some(({ from, to }) => clock.seconds >= from && clock.seconds < to),
  );
  await endpoint.listen(endpointPort);
  const service = new BillingService({ site, clock, journal }, endpoint, { outage: header.outage, outages });
  service.restore(entries);
  const apiKey = options.apiKey ?? defaultApiKey(seed);
  const sandbox = new Sandbox({ service, endpoint, settings, apiKey });
  const { plant, tie_seconds, endpoint_down, endpoint_disabled, ...runtimeFaults } = faults;
  sandbox.setFaults(runtimeFaults);
  await sandbox.listen(port);
  return sandbox;
}

const defaultApiKey = (seed: number): string =>
  `sandbox-${[4, 5].map((part) => hashNumbers(seed, part, randomTopics.id).toString(36)).join('')}`;

/** Returns the parameters of the site, including the positions of planted errors. */
function siteParameters(header: SandboxJournalHeader): SiteParameters {
  const clean = createSiteParameters(header, header.now / 1000, new TimeZone(header.time_zone));
  const month = clean.months.slice(-2) as [number, number];
  const account = (index: number) => createBaseSubscriptionAccount(clean, index);
  const errors = choosePlantedErrors(header.plant ?? {}, header, account, month);
  const plantedErrors = new Map(errors.map((error) => [error.subscription, error]));
  const [from, to] = header.endpoint_disabled?.map((time) => Date.parse(time) / 1000) ?? [];
  const disabled = from === undefined || to === undefined ? null : { from, to };
  return { ...clean, plantedErrors, tick: header.tie_seconds, disabled };
}

function plannedOutages({ endpoint_down }: SandboxJournalHeader): EndpointOutage[] {
  if (!endpoint_down) return [];
  const [from, to] = endpoint_down.map((time) => Date.parse(time) / 1000) as [number, number];
  return [{ from, to, error: '503 Service Unavailable' }];
}

function toHeader(
  options: SandboxOptions,
  faults: FaultSpec,
  settings: ServiceSettings,
): SandboxJournalHeader {
  const now = Date.parse(options.now ?? NOW);
  if (Number.isNaN(now)) throw new RangeError(`now must be an ISO time, not ${options.now}`);
  return {
    tieout_sandbox: 1,
    seed: requireInteger('seed', options.seed ?? 1, 0),
    subscriptions: requireInteger('subscriptions', options.subscriptions ?? 60, 1),
    months: requireInteger('months', options.months ?? 6, 1),
    webhooks: options.webhooks === undefined ? null : requireInteger('webhooks', options.webhooks, 0),
    now,
    time_zone: settings.timeZone,
    plant: faults.plant ?? null,
    tie_seconds: requireInteger('tie_seconds', faults.tie_seconds ?? 1, 1),
    endpoint_down: faults.endpoint_down ?? null,
    ...(faults.endpoint_disabled && { endpoint_disabled: faults.endpoint_disabled }),
    outage: options.outage ?? true,
  };
}

function requireInteger(name: string, value: number, min: number): number {
  if (Number.isSafeInteger(value) && value >= min) return value;
  throw new RangeError(`${name} must be an integer of at least ${min}, not ${value}`);
}
