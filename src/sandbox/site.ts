import type { Choices } from './choices.ts';
import { type Customer, customerOf } from './world/people.ts';
import { subscriberOf } from './world/plan.ts';
import { hash, topic } from './world/random.ts';
import type { World } from './world/world.ts';
import { Zone } from './zone.ts';

/** Who the merchant is, and how the service writes for it: what every rendering needs besides the row. */
export interface Site {
  readonly id: number;
  readonly subdomain: string;
  /** Where webhooks of the past were sent; new ones go to the sandbox's own endpoint. */
  readonly merchantUrl: string;
  readonly sharedKey: string;
  readonly world: World;
  readonly zone: Zone;
  /** Webhook bodies are in US Eastern time whatever the site's zone. */
  readonly payloadZone: Zone;
  readonly choices: Choices;
  /** Customers made lately. */
  readonly customers: Map<number, Customer>;
}

const REMEMBERED = 4000;

export function siteOf(world: World, choices: Choices, subdomain: string): Site {
  const { seed } = world.shape;
  return {
    id: 31_000 + (hash(seed, 1, topic.id) % 9000),
    subdomain,
    merchantUrl: `https://books.${subdomain}.example/webhooks/billing`,
    sharedKey: hash(seed, 2, topic.id).toString(36) + hash(seed, 3, topic.id).toString(36),
    world,
    zone: new Zone(choices.timeZone),
    payloadZone: new Zone('America/New_York'),
    choices,
    customers: new Map(),
  };
}

/** The customer of a subscription; the name on statements does not change. */
export function customer(site: Site, subscription: number): Customer {
  const { shape } = site.world;
  const known = site.customers.get(subscription);
  if (known) return known;
  const made = customerOf(shape.seed, subscription, subscriberOf(shape, subscription).region);
  if (site.customers.size >= REMEMBERED) site.customers.clear();
  site.customers.set(subscription, made);
  return made;
}

export interface Card {
  readonly id: number;
  readonly number: string;
  readonly type: string;
  readonly month: number;
  readonly year: number;
}

export function card(site: Site, subscription: number): Card {
  const draw = (n: number): number => hash(site.world.shape.seed, subscription, topic.card, n);
  return {
    id: 10_102_800 + subscription,
    number: `XXXX-XXXX-XXXX-${String(1000 + (draw(1) % 9000))}`,
    type: ['visa', 'master', 'american_express', 'visa'][draw(2) % 4] as string,
    month: 1 + (draw(3) % 12),
    year: 2027 + (draw(4) % 5),
  };
}
