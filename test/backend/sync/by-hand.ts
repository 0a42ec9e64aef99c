import type { Workbench } from '../workbench.ts';

/** Has the service send webhooks again, as somebody else would: the app knows nothing of it. */
export async function replayByHand({ sandbox }: Workbench, ids: number[]): Promise<void> {
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
