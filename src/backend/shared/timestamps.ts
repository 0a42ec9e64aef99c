// Imported from its own file, because the index would load the client, which reading does not need.
import { parseInstant } from '../../billing/formats/instant.ts';

/** Returns the UTC milliseconds of a text from the service, or null if it is missing or no time. */
export function parseTimestamp(text: string | null): number | null {
  return text === null ? null : parseInstant(text);
}

/** Returns a local instant in the format of the contract. */
export function formatTimestamp(ms: number): string;
export function formatTimestamp(ms: number | null): string | null;
export function formatTimestamp(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}
