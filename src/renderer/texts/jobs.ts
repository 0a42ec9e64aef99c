import { jobKindLabels, jobStateLabels } from '../../domain/labels/jobs.ts';
import { formatCount } from './numbers.ts';

export const jobTexts = {
  tray: 'Jobs',
  none: 'No jobs yet.',
  recent: 'Recent jobs',
  cancel: (kind: string) => `Cancel ${kind.toLowerCase()}`,
  remaining: (left: string) => `about ${left} left`,
  progressOf: (done: number, total: number | null, estimated = false) =>
    total === null
      ? formatCount(done)
      : `${formatCount(done)} of ${estimated ? 'about ' : ''}${formatCount(total)}`,
  failed: (count: number) => `${formatCount(count)} failed`,
  states: jobStateLabels,
  kinds: jobKindLabels,
  waits: {
    limited: (at: string | null) =>
      `The service limits the request rate. Waiting${at === null ? '' : ` until ${at}`}`,
    away: 'The service does not respond. Retrying',
    failing: 'The service returns errors. Retrying',
  },
  idle: 'No job is running',
  others: (count: number) => `+${formatCount(count)}`,
};

export const errorMessageTexts = {
  details: 'Technical details',
  retry: 'Try again',
  retryIn: (seconds: number) => `Try again in ${seconds} s`,
  waiting: (seconds: number) => `The service asked Tieout to wait ${seconds} s.`,
  openChecks: 'Open system checks',
};
