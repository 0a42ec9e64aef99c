import type { WriterTestSite } from '../writer-test-site.ts';

/** Makes the service resend webhooks without the app, as another client would. */
export async function replayOutsideApp({ sandbox }: WriterTestSite, ids: number[]): Promise<void> {
  await fetch(`${sandbox.url}/webhooks/replay.json`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(`${sandbox.apiKey}:x`).toString('base64')}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ ids }),
  });
  await sandbox.idle();
}
