import { createMonthlyBankFiles, type MonthlyBankFiles } from './bank/index.ts';
import type { EndpointBehavior, MerchantEndpoint, ReceivedWebhook } from './deliveries/merchant-endpoint.ts';
import { FaultInjector } from './faults/fault-injector.ts';
import { type FaultSpec, parseFaultSpec, validateFaultSpec } from './faults/fault-spec.ts';
import type { ControlRequestHandlers } from './http/control-requests.ts';
import type { RequestLog } from './http/request-log.ts';
import { BillingServer } from './http-server.ts';
import type { SandboxDescription } from './sandbox-options.ts';
import type { BillingService } from './service/billing-service.ts';
import { GroundTruth } from './service/ground-truth.ts';
import { addMonths, SECONDS_PER_DAY } from './simulation/time-zone.ts';
import type { ServiceSettings } from './site/service-settings.ts';

interface SandboxParts {
  readonly service: BillingService;
  readonly endpoint: MerchantEndpoint;
  readonly settings: ServiceSettings;
  readonly apiKey: string;
}

export class Sandbox {
  /** All records as the service would return them, for comparison in tests. */
  readonly truth: GroundTruth;
  readonly #parts: SandboxParts;
  readonly #faults: FaultInjector;
  readonly #server: BillingServer;

  constructor(parts: SandboxParts) {
    this.#parts = parts;
    this.truth = new GroundTruth(parts.service);
    this.#faults = new FaultInjector(this.#seed);
    this.#server = new BillingServer(parts.service, parts.apiKey, this.#controlVerbs(), this.#faults);
  }

  listen(port: number): Promise<void> {
    return this.#server.listen(port);
  }

  get url(): string {
    return this.#server.url;
  }

  get apiKey(): string {
    return this.#parts.apiKey;
  }

  get sharedKey(): string {
    return this.#parts.service.site.sharedKey;
  }

  get endpointUrl(): string {
    return this.#parts.endpoint.url;
  }

  /** Log and counts of the requests received. */
  get requests(): RequestLog {
    return this.#server.traffic;
  }

  /** Most recent webhooks that the merchant's endpoint received, in full. */
  get received(): readonly ReceivedWebhook[] {
    return this.#parts.endpoint.received;
  }

  /** Number of times that the endpoint accepted each webhook, by webhook id. */
  get accepted(): ReadonlyMap<number, number> {
    return this.#parts.endpoint.accepted;
  }

  describe(): SandboxDescription {
    const { site, clock } = this.#parts.service;
    return {
      url: this.url,
      api_key: this.apiKey,
      endpoint_url: this.endpointUrl,
      shared_key: this.sharedKey,
      control_url: `${this.url}/sandbox`,
      subdomain: site.subdomain,
      seed: this.#seed,
      now: new Date(clock.ms).toISOString(),
      counts: this.truth.counts(),
    };
  }

  /** Moves the clock forward and executes every action that is due by the new time. */
  advance({ days = 0, months = 0 }: { days?: number; months?: number }): void {
    if (!(days >= 0 && months >= 0 && days + months > 0)) {
      throw new RangeError('advance requires a number of days or months above 0');
    }
    const { service } = this.#parts;
    service.advance(addMonths(service.clock.seconds, months) + Math.round(days * SECONDS_PER_DAY));
  }

  setEndpoint(mode: EndpointBehavior): void {
    this.#parts.service.setEndpoint(mode);
  }

  /** Replaces all faults. Throws RangeError for faults of the base data, which can be set only at the start. */
  setFaults(faults: string | FaultSpec): void {
    const { plant, tie_seconds, endpoint_down, endpoint_disabled, set, ...spec } = toFaultSpec(faults);
    const { settings, service } = this.#parts;
    const isFixed = plant || tie_seconds || endpoint_down || endpoint_disabled;
    if (isFixed || (set?.timeZone ?? settings.timeZone) !== settings.timeZone) {
      const names = 'plant, tie_seconds, endpoint_down, endpoint_disabled and the time zone';
      throw new RangeError(`${names} can be set only when the sandbox starts`);
    }
    Object.assign(settings, set);
    service.log.unstableTies = spec.unstable_ties === true;
    this.#faults.set(spec);
  }

  /** Returns figures about the delivery queue and the health of the endpoint. */
  deliveries() {
    const { health, mostUntried } = this.#parts.service.queue;
    return {
      /** Highest number of webhooks that were queued for their first attempt at the same time. */
      max_queued: mostUntried,
      /** Number of consecutive webhooks that the endpoint rejected: the current number and the highest. */
      failures_in_row: health.failures,
      most_failures_in_row: health.mostFailures,
      paused: health.paused,
      /** Number of webhooks that were not sent because the endpoint was paused. */
      withheld: health.withheld,
    };
  }

  /** Resolves when no webhook is queued or waiting for another attempt. */
  idle(): Promise<void> {
    return this.#parts.service.queue.idle();
  }

  async close(): Promise<void> {
    this.#parts.service.close();
    await Promise.all([this.#server.close(), this.#parts.endpoint.close()]);
  }

  get #seed(): number {
    return this.#parts.service.simulation.parameters.seed;
  }

  #controlVerbs(): ControlRequestHandlers {
    return {
      state: () => this.describe(),
      requests: () => this.requests.counts(),
      reset: () => this.requests.reset(),
      faults: (input) =>
        this.setFaults(typeof input['spec'] === 'string' ? input['spec'] : (input as FaultSpec)),
      planted: () => this.truth.planted(),
      advance: (input) => {
        this.advance(input);
        return this.describe();
      },
      endpoint: (input) => this.setEndpoint(input as EndpointBehavior),
      bank: ({ month, doubts }): MonthlyBankFiles =>
        createMonthlyBankFiles(this.truth, {
          seed: this.#seed,
          doubts: doubts === true,
          ...(typeof month === 'string' && { month }),
        }),
    };
  }
}

/** Returns the fault specification for faults given as text or as an object. Throws RangeError if they are invalid. */
export const toFaultSpec = (faults: string | FaultSpec): FaultSpec =>
  typeof faults === 'string' ? parseFaultSpec(faults) : validateFaultSpec(faults);
