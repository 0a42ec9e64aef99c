import type { EndpointMode, ReceivedWebhook } from './deliveries/merchant-endpoint.ts';
import type { FaultSpec } from './faults/fault-spec.ts';
import type { RequestLog } from './http/request-log.ts';
import type { GroundTruth, RecordCounts } from './service/ground-truth.ts';
import type { ServiceSettings } from './site/settings.ts';

export interface SandboxOptions {
  /** Port of the service. 0 selects any free port. */
  port?: number;
  endpointPort?: number;
  seed?: number;
  subscriptions?: number;
  /** Number of complete months of history. */
  months?: number;
  /** Number of webhooks in the log. By default, the number that the history produces. */
  webhooks?: number;
  /** Path of the journal file that records changes to the base data. */
  data?: string;
  /** ISO time at which the sandbox's clock starts. */
  now?: string;
  site?: { subdomain: string };
  apiKey?: string;
  settings?: Partial<ServiceSettings>;
  /** Faults to simulate, as an object or as text, for example `latency=20..80,error_rate=0.05,plant.gap=2`. */
  faults?: string | FaultSpec;
  /** If false, the endpoint's outage and the scattered failures are omitted, so that every webhook was accepted. */
  outage?: boolean;
}

/** Addresses, credentials and counts of a running sandbox. The command line prints them as one JSON line. */
export interface SandboxDescription {
  url: string;
  api_key: string;
  endpoint_url: string;
  shared_key: string;
  control_url: string;
  subdomain: string;
  seed: number;
  now: string;
  counts: RecordCounts;
}

export interface DeliveryFigures {
  /** Highest number of webhooks that were queued for their first attempt at the same time. */
  max_queued: number;
  /** Number of consecutive webhooks that the endpoint rejected: the current number and the highest. */
  failures_in_row: number;
  most_failures_in_row: number;
  paused: boolean;
  /** Number of webhooks that were not sent because the endpoint was paused. */
  withheld: number;
}

export interface Sandbox {
  readonly url: string;
  readonly apiKey: string;
  readonly sharedKey: string;
  readonly endpointUrl: string;
  /** Log and counts of the requests received. */
  readonly requests: RequestLog;
  /** All records as the service would return them, for comparison in tests. */
  readonly truth: GroundTruth;
  describe(): SandboxDescription;
  /** Moves the clock forward. Everything that is due until then happens. */
  advance(by: { days?: number; months?: number }): void;
  setEndpoint(mode: EndpointMode): void;
  /**
   * Replaces all faults. `plant`, `tie_seconds` and `endpoint_down` are part of the base data and can only be set at the
   * start.
   */
  setFaults(faults: string | FaultSpec): void;
  /** Most recent webhooks that the merchant's endpoint received, in full. */
  readonly received: readonly ReceivedWebhook[];
  /** Number of times that the endpoint accepted each webhook, by webhook id. */
  readonly accepted: ReadonlyMap<number, number>;
  /** Returns figures about the delivery queue and the health of the endpoint. */
  deliveries(): DeliveryFigures;
  /** Resolves when no webhook is queued or waiting for another attempt. */
  idle(): Promise<void>;
  close(): Promise<void>;
}
