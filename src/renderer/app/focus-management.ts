/** Focuses the visible list of the current screen, its open detail if it has no list, or the screen itself. */
export function focusMainContent(): void {
  const find = (selector: string) =>
    [...document.querySelectorAll<HTMLElement>(selector)].find((element) => element.checkVisibility());
  (find('main [role="grid"]') ?? find('main .detail') ?? find('main'))?.focus({ preventScroll: true });
}

/** Focuses the list of a new screen once it is rendered. Stops if the user focuses or clicks something first. */
export function focusListWhenReady(): () => void {
  const main = document.querySelector('main');
  const tryFocus = () => {
    const { activeElement: focus } = document;
    if (focus !== document.body && focus !== main) return stop();
    const list = document.querySelector<HTMLElement>('main [role="grid"]');
    if (!list) return;
    stop();
    list.focus({ preventScroll: true });
  };
  const changes = new MutationObserver(tryFocus);
  const stop = () => {
    changes.disconnect();
    document.removeEventListener('pointerdown', stop, true);
  };
  document.addEventListener('pointerdown', stop, true);
  changes.observe(document.body, { childList: true, subtree: true });
  tryFocus();
  return stop;
}

/**
 * Moves the focus to the current screen when the focused element, for example a button or list, is removed or hidden. Without
 * this, keyboard and screen reader users would lose their position. A closing dialog restores the focus itself one frame
 * later, hence the delay of two frames.
 */
export function restoreLostFocus(): () => void {
  let lastFocused: Element | null = null;
  const remember = ({ target }: FocusEvent) => {
    lastFocused = target instanceof Element ? target : null;
  };
  const checkFocus = () => {
    if (lastFocused === null || lastFocused.checkVisibility()) return;
    lastFocused = null;
    afterFrames(2, () => {
      if (document.activeElement === document.body) focusMainContent();
    });
  };
  const changes = new MutationObserver(checkFocus);
  document.addEventListener('focusin', remember);
  changes.observe(document.body, { childList: true, subtree: true });
  return () => {
    document.removeEventListener('focusin', remember);
    changes.disconnect();
  };
}

function afterFrames(count: number, callback: () => void): void {
  requestAnimationFrame(() => (count > 1 ? afterFrames(count - 1, callback) : callback()));
}
