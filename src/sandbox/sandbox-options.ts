import type { FaultSpec } from './faults/fault-spec.ts';
import type { GroundTruth } from './service/ground-truth.ts';
import type { ServiceSettings } from './site/service-settings.ts';

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
  /** Key that signs the webhooks. By default, it is derived from the seed. */
  sharedKey?: string;
  settings?: Partial<ServiceSettings>;
  /** Faults to simulate, as an object or as text, for example `latency=20..80,error_rate=0.05,plant.gap=2`. */
  faults?: string | FaultSpec;
  /** If false, every past webhook was accepted: there is neither an outage of the endpoint nor a scattered failure. */
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
  counts: ReturnType<GroundTruth['counts']>;
}
