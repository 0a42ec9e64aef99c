import { create } from 'zustand';
import type { ReplayJob } from '../../contract/index.ts';

interface OpenReplayState {
  /** The replay that is open; null where none is. */
  readonly replay: ReplayJob | null;
  /** The one that runs or is paused on the site in front. */
  readonly live: string | null;
  /** The bytes of a file that the backend offers. */
  readonly readBlob: ((id: string) => Promise<Uint8Array<ArrayBuffer>>) | null;
}

/** What the commands of replays act on. */
export const useOpenReplay = create<OpenReplayState>(() => ({ replay: null, live: null, readBlob: null }));
