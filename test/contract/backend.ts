import { implement } from '@orpc/server';
import { serveRouter } from '../../src/backend/handlers/serve-router.ts';
import type { Backend, ShellLog } from '../../src/backend/shared/start-options.ts';
import {
  contract,
  contractError,
  type ErrorValue,
  type Job,
  type WebhookDetail,
} from '../../src/contract/index.ts';

/**
 * A backend of a few procedures that do what real ones must never do: tell too much, throw what nobody expects, answer
 * nonsense, go on for ever. The suite proves that none of it reaches the other side of a link.
 */

/** Stands for what must not cross: a key, a path, a stack. */
export const SECRET = 's3cret-/home/anna/.key';

/** What `webhooks.get` does, by the id asked for. */
export const asked = {
  plain: 1,
  tellsTooMuch: 2,
  refuses: 3,
  breaks: 4,
  answersNonsense: 5,
  waits: 6,
} as const;

/** What `jobs.watch` does, by the job asked for. */
export const watched = {
  goesOn: 'goes-on',
  breaks: 'breaks',
  tellsTooMuch: 'tells-too-much',
  ends: 'ends',
} as const;

const on = implement(contract);

const webhook = (id: number): WebhookDetail => ({
  id,
  event: 'payment_success',
  successful: true,
  delivery: 'accepted',
  created_at: '2026-01-10T12:00:00-05:00',
  accepted_at: null,
  last_sent_at: null,
  last_error_at: null,
  last_sent_url: null,
  last_error: null,
  subscription_id: 7,
  statement_id: null,
  body: 'é=1',
  body_form: 'form',
  fields: [{ key: 'é', value: '1' }],
  signature: null,
  extra: { kept: [1, { deep: null }] },
  synced_at: '2026-01-10T12:00:00.000Z',
  replays: [],
});

const job = (done: number): Job => ({
  id: 'job',
  site: 'acme',
  kind: 'sync',
  state: 'running',
  started_at: '2026-01-10T12:00:00.000Z',
  ended_at: null,
  progress: [{ part: 'webhooks', done, total: null, failed: 0, current: null }],
  rate: null,
  remaining_ms: null,
  summary: null,
  error: null,
});

export const refusal: ErrorValue = {
  code: 'validation',
  message: 'The service refused that.',
  hint: 'Name a quantity.',
  retryable: false,
  errors: ['Quantity: cannot be blank.'],
  detail: { status: 422 },
};

const aborted = (signal: AbortSignal | undefined) =>
  new Promise<never>((_, reject) => {
    const stop = () => reject(signal?.reason);
    if (signal?.aborted) stop();
    else signal?.addEventListener('abort', stop, { once: true });
  });

export function openTestReader({ log }: { log: ShellLog }): Backend {
  let waiting = 0;
  let stopped = 0;
  return served(
    {
      webhooks: {
        get: on.webhooks.get.handler(async ({ input: { id }, signal }) => {
          if (id === asked.tellsTooMuch) {
            return {
              ...webhook(id),
              api_key: SECRET,
              fields: [{ key: 'a', value: 'b', path: SECRET }],
            } as unknown as WebhookDetail;
          }
          if (id === asked.refuses) throw contractError(refusal);
          if (id === asked.breaks) throw new Error(SECRET);
          if (id === asked.answersNonsense) return { id: SECRET } as unknown as WebhookDetail;
          if (id === asked.waits) {
            waiting++;
            return await aborted(signal).finally(() => {
              waiting--;
              stopped++;
            });
          }
          return webhook(id);
        }),
      },
      /** How many calls wait, and how many have been stopped. */
      settings: { all: on.settings.all.handler(() => ({ waiting, stopped })) },
    },
    log,
  );
}

export function openTestWriter({ log }: { log: ShellLog }): Backend {
  let streaming = 0;
  let ended = 0;
  return served(
    {
      jobs: {
        watch: on.jobs.watch.handler(async function* ({ input, signal }) {
          streaming++;
          try {
            yield job(1);
            if (input.job === watched.breaks) throw new Error(SECRET);
            if (input.job === watched.tellsTooMuch) yield { ...job(2), api_key: SECRET } as Job;
            for (let done = 2; input.job === watched.goesOn; done++) {
              yield job(done);
              await pause(signal);
            }
          } finally {
            streaming--;
            ended++;
          }
        }),
      },
      /** How many streams go on, and how many have ended. */
      settings: {
        set: on.settings.set.handler(({ input }) => ({ [input.key]: input.value, streaming, ended })),
      },
    },
    log,
  );
}

/** A short rest between two values, cut short when nobody listens any more. */
function pause(signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, 5);
    function done() {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      resolve();
    }
    signal?.addEventListener('abort', done);
  });
}

function served(router: Parameters<typeof serveRouter>[0], log: ShellLog): Backend {
  const { link, serve, close } = serveRouter(router, log);
  return { link, serve, close: async () => close() };
}
