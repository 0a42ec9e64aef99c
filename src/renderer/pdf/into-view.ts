/** px that stay between what is shown and the edge of what is in view. */
const MARGIN = 48;

/** Scrolls a container, and nothing around it, so that an element in it is seen; not at all where it is already. */
export function bringIntoView(container: HTMLElement, element: Element): void {
  const view = container.getBoundingClientRect();
  const it = element.getBoundingClientRect();
  if (it.top < view.top + MARGIN || it.bottom > view.bottom - MARGIN)
    container.scrollTop += it.top - view.top - view.height / 3;
  if (it.left < view.left || it.right > view.right)
    container.scrollLeft += it.left - view.left - (view.width - it.width) / 2;
}
