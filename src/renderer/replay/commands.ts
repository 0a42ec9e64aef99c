import { ArrowLeft, CirclePause, CircleStop, FileDown, ListPlus, Repeat2, Rocket } from 'lucide-react';
import type { BackendClient, ReplayJob } from '../../contract/index.ts';
import { alwaysEnabled, type Command, type CommandContext, requireSite } from '../commands/command.ts';
import { navigate, openDialog } from '../navigation/window-state.ts';
import { texts } from '../texts/texts.ts';
import { saveFile } from '../window-shell/save-file.ts';
import { useOpenReplay } from './open-replay.ts';
import { canResumeReplay, countFailedWebhooks, isActiveReplay } from './replay-outcomes.ts';

const text = texts.replay;

function getOpenReplay(): ReplayJob | null {
  return useOpenReplay.getState().replay;
}

type ReplayFunction<T> = (replay: ReplayJob, context: CommandContext) => T;

/** Defines a command that acts on the open replay. */
function defineCommand(
  fields: Pick<Command, 'id' | 'title' | 'icon'> & Partial<Command>,
  run: ReplayFunction<unknown>,
  enabled: ReplayFunction<true | string> = alwaysEnabled,
): Command {
  return {
    section: 'replays',
    screens: ['replays'],
    ...fields,
    enabled(context) {
      const replay = getOpenReplay();
      return replay ? enabled(replay, context) : text.noneOpen;
    },
    run(context) {
      const replay = getOpenReplay();
      return replay ? run(replay, context) : undefined;
    },
  };
}

export const replayCommands: readonly Command[] = [
  defineCommand(
    { id: 'replay.toggle', title: text.toggle, icon: CirclePause, keys: ['P'] },
    (replay, { client }) => toggleReplay(client, replay),
    (replay, { unavailableReason }) => {
      if (replay.state === 'running') return true;
      return canResumeReplay(replay) ? (unavailableReason ?? true) : text.hasEnded;
    },
  ),
  defineCommand(
    { id: 'replay.cancel', title: text.stop, icon: CircleStop, keys: ['C'] },
    ({ job }) => openDialog({ kind: 'cancelReplay', job }),
    (replay) => isActiveReplay(replay) || canResumeReplay(replay) || text.hasEnded,
  ),
  defineCommand(
    { id: 'replay.failures', title: text.retryFailures, icon: Repeat2, keys: ['R'] },
    (replay, { client }) => planFailures(client, replay),
    (replay) => (isActiveReplay(replay) ? text.notEnded : countFailedWebhooks(replay) > 0 || text.noFailures),
  ),
  defineCommand(
    { id: 'replay.exportCsv', title: text.exportCsv, icon: FileDown, keys: ['E'] },
    (replay, { client }) => exportReplayReport(client, replay, 'csv'),
  ),
  defineCommand(
    { id: 'replay.exportJson', title: text.exportJson, icon: FileDown, keys: ['Shift+E'] },
    (replay, { client }) => exportReplayReport(client, replay, 'json'),
  ),
  defineCommand({ id: 'replay.list', title: text.backToList, icon: ArrowLeft }, () =>
    navigate({ item: null }),
  ),
  {
    id: 'replay.fromIds',
    title: text.fromIds,
    section: 'replays',
    icon: ListPlus,
    enabled: requireSite,
    run: () => openDialog({ kind: 'replayIds' }),
  },
  {
    id: 'replay.openRunning',
    title: text.openRunning,
    section: 'replays',
    icon: Rocket,
    enabled: () => useOpenReplay.getState().activeJob !== null || text.noneRunning,
    run: () => navigate({ screen: 'replays', item: useOpenReplay.getState().activeJob }),
  },
];

/** Pauses a running replay, or resumes a replay that is paused. */
async function toggleReplay(client: BackendClient, { site, job, state }: ReplayJob): Promise<void> {
  if (state === 'running') await client.replay.pause({ site, job });
  else await client.replay.resume({ site, job });
}

/** Plans a replay of a replay's failed webhooks and opens the new plan. */
async function planFailures(client: BackendClient, { site, job }: ReplayJob): Promise<void> {
  const plan = await client.replay.retryFailures({ site, job });
  openDialog({ kind: 'replay', selection: { plan } });
}

/** Downloads the report of a replay as a file. */
export async function exportReplayReport(
  client: BackendClient,
  replay: ReplayJob,
  format: 'csv' | 'json',
): Promise<void> {
  const { readBlob } = useOpenReplay.getState();
  if (!readBlob) return;
  const { site, job } = replay;
  const file = await client.replay.report({ site, job, format });
  await saveFile({ bytes: await readBlob(file.blob), name: file.name, type: file.type });
}
