import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { randomFraction, randomTopics } from '../simulation/seeded-random.ts';

/** Behavior of the merchant's simulated endpoint. */
export interface EndpointBehavior {
  /** True if every delivery is answered with 503. */
  down?: boolean;
  /** Share of deliveries that are answered with `status`. The seed and the order of arrival determine which ones. */
  failRate?: number;
  /** Ids of webhooks that are always answered with `status`. */
  refuses?: readonly number[];
  /** HTTP status of failed deliveries. The default is 503. */
  status?: number;
  /** Delay before each response in milliseconds. */
  delay?: number;
}

export interface ReceivedWebhook {
  readonly id: number;
  readonly event: string;
  readonly body: string;
  readonly headers: Record<string, string>;
  readonly accepted: boolean;
}

/** Maximum number of recent deliveries that are stored in full. Accepted deliveries are counted without a limit. */
const MAX_STORED_WEBHOOKS = 2000;

/** Simulates the merchant's server, which receives webhooks and answers 200 unless its mode specifies another reply. */
export class MerchantEndpoint {
  mode: EndpointBehavior = {};
  readonly received: ReceivedWebhook[] = [];
  readonly accepted = new Map<number, number>();
  url = '';
  readonly #seed: number;
  readonly #isDown: () => boolean;
  readonly #server: Server;
  #arrivals = 0;

  /** `isDown` returns true during scheduled outages. */
  constructor(seed: number, isDown: () => boolean) {
    this.#seed = seed;
    this.#isDown = isDown;
    this.#server = createServer((request, response) => {
      this.#receive(request, response).catch(() => response.destroy());
    });
  }

  async listen(port: number): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject).listen(port, '127.0.0.1', resolve);
    });
    this.url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/webhooks`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString('utf8');
    const { down, failRate = 0, refuses = [], status = 503, delay = 0 } = this.mode;
    const id = Number(/(?:^|&)id=(\d+)/.exec(body)?.[1] ?? 0);
    const fails =
      down === true ||
      this.#isDown() ||
      refuses.includes(id) ||
      randomFraction(this.#seed, this.#arrivals++, randomTopics.fault) < failRate;
    const event = /(?:^|&)event=([^&]*)/.exec(body)?.[1] ?? '';
    const headers = request.headers as Record<string, string>;
    this.received.push({ id, event, body, headers, accepted: !fails });
    if (this.received.length > MAX_STORED_WEBHOOKS) this.received.shift();
    if (!fails) this.accepted.set(id, (this.accepted.get(id) ?? 0) + 1);
    if (delay > 0) await new Promise((resolve) => setTimeout(resolve, delay).unref());
    response.writeHead(fails ? status : 200, { 'Content-Type': 'text/plain' }).end(fails ? '' : 'ok');
  }
}
