import { implement } from '@orpc/server';
import { serveRouter } from '../../src/backend/handlers/serve-router.ts';
import type { Backend, ShellLog } from '../../src/backend/shared/backend-start-options.ts';
import {
  backendContract,
  createContractError,
  type ErrorValue,
  type Job,
  type WebhookDetail,
} from '../../src/contract/index.ts';

/** A backend with misbehaving procedures. The suite proves that no link forwards their secrets or invalid data. */

/** Represents data that must never cross a link, for example a key, a path or a stack trace. */
export const SECRET = 's3cret-/home/anna/.key';

/** Webhook IDs that select the behavior of `webhooks.get`. */
export const webhookIds = {
  valid: 1,
  leaking: 2,
  refused: 3,
  throwing: 4,
  invalid: 5,
  waiting: 6,
} as const;

/** Job IDs that select the behavior of `jobs.watch`. */
export const jobIds = {
  endless: 'endless',
  throwing: 'throwing',
  leaking: 'leaking',
  ending: 'ending',
} as const;

const procedures = implement(backendContract);

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
  extra: { list: [1, { deep: null }] },
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

export const rejectionError: ErrorValue = {
  code: 'validation',
  message: 'The service refused the change.',
  hint: 'Enter a quantity.',
  retryable: false,
  errors: ['Quantity: cannot be blank.'],
  detail: { status: 422 },
};

const rejectOnAbort = (signal: AbortSignal | undefined) =>
  new Promise<never>((_, reject) => {
    const stop = () => reject(signal?.reason);
    if (signal?.aborted) stop();
    else signal?.addEventListener('abort', stop, { once: true });
  });

export function openTestReader({ log }: { log: ShellLog }): Backend {
  let waiting = 0;
  let stopped = 0;
  return createBackend(
    {
      webhooks: {
        get: procedures.webhooks.get.handler(async ({ input: { id }, signal }) => {
          if (id === webhookIds.leaking) {
            return {
              ...webhook(id),
              api_key: SECRET,
              fields: [{ key: 'a', value: 'b', path: SECRET }],
            } as unknown as WebhookDetail;
          }
          if (id === webhookIds.refused) throw createContractError(rejectionError);
          if (id === webhookIds.throwing) throw new Error(SECRET);
          if (id === webhookIds.invalid) return { id: SECRET } as unknown as WebhookDetail;
          if (id === webhookIds.waiting) {
            waiting++;
            return await rejectOnAbort(signal).finally(() => {
              waiting--;
              stopped++;
            });
          }
          return webhook(id);
        }),
      },
      /** Returns the number of waiting calls and of aborted calls. */
      settings: { all: procedures.settings.all.handler(() => ({ waiting, stopped })) },
    },
    log,
  );
}

export function openTestWriter({ log }: { log: ShellLog }): Backend {
  let streaming = 0;
  let ended = 0;
  return createBackend(
    {
      jobs: {
        watch: procedures.jobs.watch.handler(async function* ({ input, signal }) {
          streaming++;
          try {
            yield job(1);
            if (input.job === jobIds.throwing) throw new Error(SECRET);
            if (input.job === jobIds.leaking) yield { ...job(2), api_key: SECRET } as Job;
            for (let done = 2; input.job === jobIds.endless; done++) {
              yield job(done);
              await waitForNextValue(signal);
            }
          } finally {
            streaming--;
            ended++;
          }
        }),
      },
      /** Returns the number of running streams and of ended streams. */
      settings: {
        set: procedures.settings.set.handler(({ input }) => ({ [input.key]: input.value, streaming, ended })),
      },
    },
    log,
  );
}

/** Waits briefly before the next value of a stream, or until the stream is aborted. */
function waitForNextValue(signal: AbortSignal | undefined): Promise<void> {
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

function createBackend(router: Parameters<typeof serveRouter>[0], log: ShellLog): Backend {
  const { close, ...served } = serveRouter(router, log);
  return { ...served, close: async () => close() };
}
