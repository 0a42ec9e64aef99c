import { type BankFiles, createBankFiles } from './bank/index.ts';
import type { EndpointMode, MerchantEndpoint, ReceivedWebhook } from './deliveries/merchant-endpoint.ts';
import { FaultInjector } from './faults/fault-injector.ts';
import { type FaultSpec, parseFaults, validateFaults } from './faults/fault-spec.ts';
import type { ControlHandlers } from './http/control-verbs.ts';
import type { RequestLog } from './http/request-log.ts';
import { BillingServer } from './http-server.ts';
import type { DeliveryFigures, Sandbox, SandboxDescription } from './options.ts';
import type { BillingService } from './service/billing-service.ts';
import { GroundTruth } from './service/ground-truth.ts';
import { addMonths, SECONDS_PER_DAY } from './simulation/time-zone.ts';
import type { ServiceSettings } from './site/settings.ts';

interface SandboxParts {
  readonly service: BillingService;
  readonly endpoint: MerchantEndpoint;
  readonly settings: ServiceSettings;
  readonly apiKey: string;
}

/** A running sandbox with its HTTP server. */
export class RunningSandbox implements Sandbox {
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

  get requests(): RequestLog {
    return this.#server.traffic;
  }

  get received(): readonly ReceivedWebhook[] {
    return this.#parts.endpoint.received;
  }

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

  advance({ days = 0, months = 0 }: { days?: number; months?: number }): void {
    if (!(days >= 0 && months >= 0 && days + months > 0)) {
      throw new RangeError('advance needs a number of days or months above 0');
    }
    const { service } = this.#parts;
    service.advance(addMonths(service.clock.seconds, months) + Math.round(days * SECONDS_PER_DAY));
  }

  setEndpoint(mode: EndpointMode): void {
    this.#parts.service.setEndpoint(mode);
  }

  setFaults(faults: string | FaultSpec): void {
    const { plant, tie_seconds, endpoint_down, set, ...spec } = toFaultSpec(faults);
    const { settings, service } = this.#parts;
    if (plant || tie_seconds || endpoint_down || (set?.timeZone ?? settings.timeZone) !== settings.timeZone) {
      throw new RangeError(
        'plant, tie_seconds, endpoint_down and the time zone can be set only when the sandbox starts',
      );
    }
    Object.assign(settings, set);
    service.log.unstableTies = spec.unstable_ties === true;
    this.#faults.set(spec);
  }

  deliveries(): DeliveryFigures {
    const { health, mostUntried } = this.#parts.service.queue;
    return {
      max_queued: mostUntried,
      failures_in_row: health.failures,
      most_failures_in_row: health.mostFailures,
      paused: health.paused,
      withheld: health.withheld,
    };
  }

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

  #controlVerbs(): ControlHandlers {
    return {
      state: () => this.describe(),
      requests: () => this.requests.counts(),
      reset: () => this.requests.reset(),
      faults: (given) =>
        this.setFaults(typeof given['spec'] === 'string' ? given['spec'] : (given as FaultSpec)),
      planted: () => this.truth.planted(),
      advance: (given) => {
        this.advance(given);
        return this.describe();
      },
      endpoint: (given) => this.setEndpoint(given as EndpointMode),
      bank: ({ month }): BankFiles =>
        createBankFiles(this.truth, { seed: this.#seed, ...(typeof month === 'string' && { month }) }),
    };
  }
}

/** Returns the fault specification of faults given as text or as an object. Throws RangeError if they are invalid. */
export const toFaultSpec = (faults: string | FaultSpec): FaultSpec =>
  typeof faults === 'string' ? parseFaults(faults) : validateFaults(faults);
