import type { Outputs } from '../../contract/index.ts';
import { describeMissingData, describeStoredData } from '../../domain/labels/sync.ts';
import { formatLocalDay } from '../texts/moments.ts';
import { formatCount } from '../texts/numbers.ts';

type Status = Pick<Outputs['sync']['status'], 'parts' | 'complete' | 'set_aside'>;

const formats = { formatCount, formatDay: (moment: string) => formatLocalDay(moment) };

/** Formats in one sentence what is missing of a site, or returns null. PDFs are not counted, because they are downloaded on demand. */
export const formatMissingData = (status: Status): string | null => describeMissingData(status, formats);

/** Formats notes about the stored data: a damaged cache, and records that the service no longer has. */
export const formatDataNotes = (status: Status): string[] => describeStoredData(status, formats);
