import { create } from 'zustand';
import type { ReplayJob } from '../../contract/index.ts';

interface OpenReplayState {
  /** Replay that is currently open, or null if none is. */
  readonly replay: ReplayJob | null;
  /** Job id of the selected site's running or paused replay, or null if there is none. */
  readonly activeJob: string | null;
  /** Reads a one-time file from the backend. */
  readonly readBlob: ((id: string) => Promise<Uint8Array<ArrayBuffer>>) | null;
}

/** Stores the replays that the replay commands act on. */
export const useOpenReplay = create<OpenReplayState>(() => ({
  replay: null,
  activeJob: null,
  readBlob: null,
}));
