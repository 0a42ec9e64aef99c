import type { Outputs } from '../../contract/contract.ts';
import { describeMissingData, describeStoredData } from '../../domain/labels/sync.ts';
import { formatDay, formatNumber } from '../output/format-values.ts';

type Status = Pick<Outputs['sync']['status'], 'parts' | 'complete' | 'set_aside'>;

const formats = { formatCount: formatNumber, formatDay };

/**
 * Formats a site's missing data in one line; null if nothing is missing. PDFs are ignored, because they are downloaded on
 * demand.
 */
export const formatMissingData = (status: Status): string | null => describeMissingData(status, formats);

/** Formats notes about the stored data, for example a damaged cache or records that the service no longer has. */
export const formatDataNotes = (status: Status): string[] => describeStoredData(status, formats);
