import type { Client, ReplayJob } from '../../contract/index.ts';
import { downloadBytes } from '../controls/download-file.ts';
import { openDialog, showNotice } from '../navigation/window-state.ts';
import { texts } from '../texts/texts.ts';
import { useOpenReplay } from './open-replay.ts';

/** Pauses a running replay, or resumes a replay that is paused. */
export async function toggleReplay(client: Client, { site, job, state }: ReplayJob): Promise<void> {
  if (state === 'running') await client.replay.pause({ site, job });
  else await client.replay.resume({ site, job });
}

/** Plans a replay of a replay's failed webhooks and opens the new plan. */
export async function planFailures(client: Client, { site, job }: ReplayJob): Promise<void> {
  const plan = await client.replay.retryFailures({ site, job });
  openDialog({ kind: 'replay', selection: { plan } });
}

/** Downloads the report of a replay as a file. */
export async function exportReport(client: Client, replay: ReplayJob, format: 'csv' | 'json'): Promise<void> {
  const { readBlob } = useOpenReplay.getState();
  if (!readBlob) return;
  const { site, job } = replay;
  const file = await client.replay.report({ site, job, format });
  downloadBytes(await readBlob(file.blob), file.name, file.type);
  showNotice(texts.replay.exported(file.name), 'good');
}
