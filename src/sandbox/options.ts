import type { EndpointMode, ReceivedWebhook } from './deliveries/merchant-endpoint.ts';
import type { FaultSpec } from './faults/fault-spec.ts';
import type { GroundTruth, RecordCounts } from './ground-truth.ts';
import type { RequestLog } from './http/request-log.ts';
import type { ServiceSettings } from './settings.ts';

export interface SandboxOptions {
  /** 0 selects any free port. */
  port?: number;
  endpointPort?: number;
  seed?: number;
  subscriptions?: number;
  /** Number of complete months of history. */
  months?: number;
  /** Length of the webhook log. By default, what the history produces. */
  webhooks?: number;
  /** Path of the journal of changes after the base data. */
  data?: string;
  /** ISO instant at which the sandbox's clock starts. */
  now?: string;
  site?: { subdomain: string };
  apiKey?: string;
  settings?: Partial<ServiceSettings>;
  /** Faults as a specification, for example `latency=20..80,error_rate=0.05,plant.gap=2`, or as an object. */
  faults?: string | FaultSpec;
  /** False removes the endpoint's outage and the scattered failures, so that every webhook was accepted. */
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
  /** Highest number of webhooks queued at once for their first attempt. */
  max_queued: number;
  /** Number of webhooks in a row that the endpoint rejected: now, and at most. */
  failures_in_row: number;
  most_failures_in_row: number;
  paused: boolean;
  /** Number of webhooks not sent because the endpoint was paused. */
  withheld: number;
}

export interface Sandbox {
  readonly url: string;
  readonly apiKey: string;
  readonly sharedKey: string;
  readonly endpointUrl: string;
  /** Counts of the requests received. */
  readonly requests: RequestLog;
  /** Every record as the service would answer it, for comparison in tests. */
  readonly truth: GroundTruth;
  describe(): SandboxDescription;
  /** Moves the clock forward. Everything due on the way happens. */
  advance(by: { days?: number; months?: number }): void;
  setEndpoint(mode: EndpointMode): void;
  /**
   * Replaces all faults. `plant`, `tie_seconds` and `endpoint_down` are part of the data and can be set only
   * at the start.
   */
  setFaults(faults: string | FaultSpec): void;
  /** The latest webhooks that the merchant's endpoint received, in full. */
  readonly received: readonly ReceivedWebhook[];
  /** Number of times the endpoint accepted each webhook, by id. */
  readonly accepted: ReadonlyMap<number, number>;
  /** Figures about the delivery queue and the endpoint's health. */
  deliveries(): DeliveryFigures;
  /** Resolves when no webhook is queued or waiting for another attempt. */
  idle(): Promise<void>;
  close(): Promise<void>;
}
