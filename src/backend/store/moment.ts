// Past the client's face, which would load the client: reading needs none.
import { instant } from '../../billing/instant.ts';

/** The moment (ms UTC) of a text the service sent; null where it sent none or one that is not a time. */
export function moment(text: string | null): number | null {
  return text === null ? null : instant(text);
}

/** One of our own moments, as the contract shows it. */
export function isoMoment(ms: number): string;
export function isoMoment(ms: number | null): string | null;
export function isoMoment(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}
