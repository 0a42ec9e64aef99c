import { create } from 'zustand';
import type { ReplayJob } from '../../contract/index.ts';

interface OpenReplayState {
  /** Replay that is open, or null. */
  readonly replay: ReplayJob | null;
  /** Job of the running or paused replay of the selected site, or null. */
  readonly activeJob: string | null;
  /** Reads a one-time file of the backend. */
  readonly readBlob: ((id: string) => Promise<Uint8Array<ArrayBuffer>>) | null;
}

/** Replays that the replay commands act on. */
export const useOpenReplay = create<OpenReplayState>(() => ({
  replay: null,
  activeJob: null,
  readBlob: null,
}));
