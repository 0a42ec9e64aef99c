import { powerSaveBlocker } from 'electron';

/** Creates a function that keeps the computer awake while its argument is true. */
export function createPowerSaver(): (awake: boolean) => void {
  let blocker: number | null = null;
  return (awake) => {
    if (awake && blocker === null) blocker = powerSaveBlocker.start('prevent-app-suspension');
    if (!awake && blocker !== null) {
      powerSaveBlocker.stop(blocker);
      blocker = null;
    }
  };
}
