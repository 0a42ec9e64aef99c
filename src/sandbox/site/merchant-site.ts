import { type Customer, createCustomer } from '../simulation/customers.ts';
import { hashNumbers, randomTopics } from '../simulation/seeded-random.ts';
import { createSimulatedSubscriber } from '../simulation/site-parameters.ts';
import type { SiteSimulation } from '../simulation/site-simulation.ts';
import { TimeZone } from '../simulation/time-zone.ts';
import type { ServiceSettings } from './service-settings.ts';

/** The merchant's site, with everything needed to render its records. */
export interface MerchantSite {
  readonly id: number;
  readonly subdomain: string;
  /** Address to which past webhooks were sent. New webhooks go to the sandbox's own endpoint. */
  readonly merchantUrl: string;
  readonly sharedKey: string;
  readonly simulation: SiteSimulation;
  readonly zone: TimeZone;
  /** Time zone of webhook bodies, which is always US Eastern. */
  readonly payloadZone: TimeZone;
  readonly settings: ServiceSettings;
  readonly customers: Map<number, Customer>;
}

const MAX_CACHED_CUSTOMERS = 4000;

export function createMerchantSite(
  simulation: SiteSimulation,
  settings: ServiceSettings,
  { subdomain, sharedKey }: { subdomain: string; sharedKey?: string | undefined },
): MerchantSite {
  const { seed } = simulation.parameters;
  return {
    id: 31_000 + (hashNumbers(seed, 1, randomTopics.id) % 9000),
    subdomain,
    merchantUrl: `https://books.${subdomain}.example/webhooks/billing`,
    sharedKey:
      sharedKey ??
      hashNumbers(seed, 2, randomTopics.id).toString(36) + hashNumbers(seed, 3, randomTopics.id).toString(36),
    simulation,
    zone: new TimeZone(settings.timeZone),
    payloadZone: new TimeZone('America/New_York'),
    settings,
    customers: new Map(),
  };
}

/** Returns the customer of a subscription. The name on its statements never changes. */
export function findSubscriptionCustomer(site: MerchantSite, subscription: number): Customer {
  const { parameters } = site.simulation;
  const cached = site.customers.get(subscription);
  if (cached) return cached;
  const { region } = createSimulatedSubscriber(parameters, subscription);
  const customer = createCustomer(parameters.seed, subscription, region);
  if (site.customers.size >= MAX_CACHED_CUSTOMERS) site.customers.clear();
  site.customers.set(subscription, customer);
  return customer;
}

export function findSubscriptionCard(site: MerchantSite, subscription: number) {
  const draw = (n: number): number =>
    hashNumbers(site.simulation.parameters.seed, subscription, randomTopics.card, n);
  return {
    id: 10_102_800 + subscription,
    number: `XXXX-XXXX-XXXX-${String(1000 + (draw(1) % 9000))}`,
    type: ['visa', 'master', 'american_express', 'visa'][draw(2) % 4] as string,
    month: 1 + (draw(3) % 12),
    year: 2027 + (draw(4) % 5),
  };
}
