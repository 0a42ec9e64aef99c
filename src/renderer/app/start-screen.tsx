import { useEffect, useState } from 'react';
import type { MigrationProgress, WindowShellClient } from '../../contract/index.ts';
import { ProgressIndicator } from '../controls/progress-indicator.tsx';
import { texts } from '../texts/texts.ts';
import { useWindowShell } from '../window-shell/window-shell.ts';

/** Screen shown until the backend has started, with the progress of a database update. */
export function StartScreen() {
  const shell = useWindowShell((state) => state.shell);
  const [progress, setProgress] = useState<MigrationProgress | null>(null);
  useEffect(() => {
    if (!shell) return;
    const controller = new AbortController();
    void watchStart(shell, controller.signal, setProgress);
    return () => controller.abort();
  }, [shell]);
  const label =
    progress === null ? texts.frame.starting : texts.frame.updatingDatabase(progress.done, progress.total);
  return (
    <div className="starting">
      <p role="status">{label}</p>
      <ProgressIndicator label={label} done={progress?.done ?? 0} total={progress?.total ?? null} />
    </div>
  );
}

async function watchStart(
  shell: WindowShellClient,
  signal: AbortSignal,
  show: (progress: MigrationProgress) => void,
): Promise<void> {
  try {
    for await (const progress of await shell.watchStart({}, { signal })) show(progress);
  } catch {
    // The connection has ended. The effect restarts when the next connection provides a new window shell.
  }
}
