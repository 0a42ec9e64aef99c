// Imports this file directly, because the index module would load the billing client, which readers do not need.
import { parseInstant } from '../../billing/formats/instant.ts';

/** Parses a timestamp from the service. Returns UTC milliseconds, or null if the text is missing or invalid. */
export function parseTimestamp(text: string | null): number | null {
  return text === null ? null : parseInstant(text);
}

/** Formats UTC milliseconds as ISO 8601. */
export function formatTimestamp(ms: number): string;
export function formatTimestamp(ms: number | null): string | null;
export function formatTimestamp(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}
