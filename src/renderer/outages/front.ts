import { create } from 'zustand';
import type { WebhookFilter } from '../../contract/index.ts';

/** What is in front on the timeline, for the commands of the screen. */
interface Front {
  /** The webhooks of the time looked at; null before anything is. */
  readonly webhooks: WebhookFilter | null;
  /** Those to replay; null where there are none, and why. */
  readonly replay: WebhookFilter | null;
  readonly reason: string | null;
  /** Shows the time looked at, or all of it; null where that is shown already. */
  readonly zoom: (() => void) | null;
  readonly whole: (() => void) | null;
}

const nothing: Front = { webhooks: null, replay: null, reason: null, zoom: null, whole: null };

export const useFront = create<Front>(() => nothing);

export function leaveFront(): void {
  useFront.setState(nothing, true);
}
