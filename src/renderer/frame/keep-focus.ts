/** The list of the screen in front, else the screen itself. */
export function focusContent(): void {
  const at = (what: string) => document.querySelector<HTMLElement>(what);
  (at('main [role="grid"]') ?? at('main'))?.focus({ preventScroll: true });
}

/**
 * Where the focus was left behind with the last screen, it goes to the list of this one as soon as that is there, so that its keys work
 * at once; unless the user has gone somewhere else meanwhile.
 */
export function focusOnArrival(): () => void {
  const main = document.querySelector('main');
  const look = () => {
    const { activeElement: focus } = document;
    if (focus !== document.body && focus !== main) return stop();
    const list = document.querySelector<HTMLElement>('main [role="grid"]');
    if (!list) return;
    stop();
    list.focus({ preventScroll: true });
  };
  const changes = new MutationObserver(look);
  const stop = () => {
    changes.disconnect();
    document.removeEventListener('pointerdown', stop, true);
  };
  document.addEventListener('pointerdown', stop, true);
  changes.observe(document.body, { childList: true, subtree: true });
  look();
  return stop;
}

/**
 * What has the focus may go away: a button whose act is done, a dialog that closes. Then the screen in front takes the focus, so that
 * the keys, and who listens to the window, are still somewhere. A dialog hands its focus back by itself, in the frame after it went.
 */
export function keepFocus(): () => void {
  let last: Element | null = null;
  const seen = ({ target }: FocusEvent) => {
    last = target instanceof Element ? target : null;
  };
  const look = () => {
    if (last === null || last.isConnected) return;
    last = null;
    afterFrames(2, () => {
      if (document.activeElement === document.body) focusContent();
    });
  };
  const changes = new MutationObserver(look);
  document.addEventListener('focusin', seen);
  changes.observe(document.body, { childList: true, subtree: true });
  return () => {
    document.removeEventListener('focusin', seen);
    changes.disconnect();
  };
}

function afterFrames(count: number, then: () => void): void {
  requestAnimationFrame(() => (count > 1 ? afterFrames(count - 1, then) : then()));
}
