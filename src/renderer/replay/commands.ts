import { ArrowLeft, CirclePause, CircleStop, FileDown, ListPlus, Repeat2, Rocket } from 'lucide-react';
import type { ReplayJob } from '../../contract/index.ts';
import type { Command, CommandContext } from '../commands/command.ts';
import { navigate, openDialog } from '../navigation/window-state.ts';
import { texts } from '../texts/texts.ts';
import { useOpenReplay } from './open-replay.ts';
import { exportReport, planFailures, toggleReplay } from './replay-actions.ts';
import { canResumeReplay, countFailures, isActiveReplay } from './replay-outcomes.ts';

const text = texts.replay;

function getOpenReplay(): ReplayJob | null {
  return useOpenReplay.getState().replay;
}

/** Returns the properties shared by all commands that act on the open replay. */
function defineOpenReplayCommand(
  enabled: (replay: ReplayJob, context: CommandContext) => true | string,
  run: (replay: ReplayJob, context: CommandContext) => unknown,
): Pick<Command, 'enabled' | 'run' | 'screens' | 'section'> {
  return {
    section: 'replays',
    screens: ['replays'],
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

const requireEnded = (replay: ReplayJob) => (isActiveReplay(replay) ? text.notEnded : true);

export const replayCommands: readonly Command[] = [
  {
    id: 'replay.toggle',
    title: text.toggle,
    icon: CirclePause,
    keys: ['P'],
    ...defineOpenReplayCommand(
      (replay, { unavailableReason }) => {
        if (replay.state === 'running') return true;
        return canResumeReplay(replay) ? (unavailableReason ?? true) : text.hasEnded;
      },
      (replay, { client }) => toggleReplay(client, replay),
    ),
  },
  {
    id: 'replay.cancel',
    title: text.stop,
    icon: CircleStop,
    keys: ['C'],
    ...defineOpenReplayCommand(
      (replay) => (isActiveReplay(replay) || canResumeReplay(replay) ? true : text.hasEnded),
      ({ job }) => openDialog({ kind: 'cancelReplay', job }),
    ),
  },
  {
    id: 'replay.failures',
    title: text.retryFailures,
    icon: Repeat2,
    keys: ['R'],
    ...defineOpenReplayCommand(
      (replay) => {
        const ended = requireEnded(replay);
        if (ended !== true) return ended;
        return countFailures(replay) > 0 ? true : text.noFailures;
      },
      (replay, { client }) => planFailures(client, replay),
    ),
  },
  {
    id: 'replay.exportCsv',
    title: text.exportCsv,
    icon: FileDown,
    keys: ['E'],
    ...defineOpenReplayCommand(
      () => true,
      (replay, { client }) => exportReport(client, replay, 'csv'),
    ),
  },
  {
    id: 'replay.exportJson',
    title: text.exportJson,
    icon: FileDown,
    keys: ['Shift+E'],
    ...defineOpenReplayCommand(
      () => true,
      (replay, { client }) => exportReport(client, replay, 'json'),
    ),
  },
  {
    id: 'replay.list',
    title: text.backToList,
    icon: ArrowLeft,
    ...defineOpenReplayCommand(
      () => true,
      () => navigate({ item: null }),
    ),
  },
  {
    id: 'replay.fromIds',
    title: text.fromIds,
    section: 'replays',
    icon: ListPlus,
    enabled: ({ site }) => (site ? true : texts.frame.noSite),
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
