/** Minimum distance in px between the element and the edges of its container. */
const MARGIN_PX = 48;

/**
 * Scrolls a container so that an element is visible, without scrolling the container's ancestors. Does nothing if the
 * element is already visible.
 */
export function scrollIntoContainerView(container: HTMLElement, element: Element): void {
  const view = container.getBoundingClientRect();
  const target = element.getBoundingClientRect();
  if (target.top < view.top + MARGIN_PX || target.bottom > view.bottom - MARGIN_PX)
    container.scrollTop += target.top - view.top - view.height / 3;
  if (target.left < view.left || target.right > view.right)
    container.scrollLeft += target.left - view.left - (view.width - target.width) / 2;
}
