import type { Choices } from './choices.ts';
import type { EndpointMode, Received } from './deliveries/endpoint.ts';
import type { FaultSpec } from './faults/spec.ts';
import type { Traffic } from './http/traffic.ts';
import type { Truth } from './truth.ts';

export interface SandboxOptions {
  /** 0 takes any free port. */
  port?: number;
  endpointPort?: number;
  seed?: number;
  subscriptions?: number;
  /** Complete months of history. */
  months?: number;
  /** How long the webhook log is to be; without it, as long as what happened makes it. */
  webhooks?: number;
  /** A file that keeps what changed after the base data. */
  data?: string;
  /** ISO instant the sandbox's clock starts at. */
  now?: string;
  site?: { subdomain: string };
  apiKey?: string;
  settings?: Partial<Choices>;
  /** How it is to misbehave: a specification like `latency=20..80,error_rate=0.05,plant.gap=2`, or its object. */
  faults?: string | FaultSpec;
  /** False leaves out the endpoint's outage and the scattered failures: then every webhook was accepted. */
  outage?: boolean;
}

/** What the outside needs to know of a running sandbox. Printed as one JSON line by the command line. */
export interface Description {
  url: string;
  api_key: string;
  endpoint_url: string;
  shared_key: string;
  control_url: string;
  subdomain: string;
  seed: number;
  now: string;
  counts: Counts;
}

export interface Counts {
  subscriptions: number;
  webhooks: number;
  failed_webhooks: number;
  statements: number;
}

export interface Deliveries {
  /** The most webhooks that were queued at once, their first attempt still to come. */
  most_queued: number;
  /** Webhooks in a row that the endpoint did not take, now and at most. */
  failures_in_row: number;
  most_failures_in_row: number;
  paused: boolean;
  /** Webhooks that were not sent because the endpoint was paused. */
  withheld: number;
}

export interface Sandbox {
  readonly url: string;
  readonly apiKey: string;
  readonly sharedKey: string;
  readonly endpointUrl: string;
  /** What was asked of it, counted. */
  readonly requests: Traffic;
  /** Every row as the service would show it, for tests to compare with. */
  readonly truth: Truth;
  describe(): Description;
  /** Moves the clock, and lets what is due on the way happen. */
  advance(by: { days?: number; months?: number }): void;
  setEndpoint(mode: EndpointMode): void;
  /** Sets all faults anew; what is in the data itself (`plant`, `tie_seconds`, `endpoint_down`) can be set only at the start. */
  setFaults(faults: string | FaultSpec): void;
  /** The webhooks the merchant's endpoint was sent, the latest ones whole. */
  readonly received: readonly Received[];
  /** How often the endpoint accepted each webhook, by id. */
  readonly accepted: ReadonlyMap<number, number>;
  /** What the service's queue and the endpoint's health came to. */
  deliveries(): Deliveries;
  /** Resolves when no webhook is queued or waits for another attempt. */
  idle(): Promise<void>;
  close(): Promise<void>;
}
