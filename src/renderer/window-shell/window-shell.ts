import { create } from 'zustand';
import type { WindowShellClient } from '../../contract/index.ts';

/** The window of this page in Electron; null in a browser and until the page is connected. */
export const useWindowShell = create<{ readonly shell: WindowShellClient | null }>(() => ({ shell: null }));
