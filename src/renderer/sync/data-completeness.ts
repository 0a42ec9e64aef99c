import type { ContractOutputs } from '../../contract/index.ts';
import { describeMissingData, describeStoredData } from '../../domain/labels/sync.ts';
import { formatLocalDay } from '../texts/date-times.ts';
import { formatCount } from '../texts/numbers.ts';

type Status = Pick<ContractOutputs['sync']['status'], 'parts' | 'complete' | 'set_aside'>;

const formats = { formatCount, formatDay: (moment: string) => formatLocalDay(moment) };

/** Describes which data of a site is missing, or returns null. PDFs do not count: they are downloaded on demand. */
export const formatMissingData = (status: Status): string | null => describeMissingData(status, formats);

/** Returns notes about the stored data: a damaged cache, and records that the service no longer has. */
export const formatStoredDataNotes = (status: Status): string[] => describeStoredData(status, formats);
