import { CheckCheck, CircleCheck, CircleDot, Info, OctagonAlert, TriangleAlert } from 'lucide-react';
import type { ExceptionStatus, Severity } from '../../contract/index.ts';
import { createStatusBadge, type StatusStyleMap } from '../controls/status-label.tsx';
import { texts } from '../texts/texts.ts';

const severityStyles: StatusStyleMap<Severity> = {
  error: ['bad', OctagonAlert],
  warning: ['warn', TriangleAlert],
  notice: ['calm', Info],
};

export const SeverityBadge = createStatusBadge(severityStyles, texts.exceptions.severities);

export const ExceptionStatusBadge = createStatusBadge<ExceptionStatus>(
  { open: ['accent', CircleDot], accepted: ['good', CheckCheck], closed: ['calm', CircleCheck] },
  texts.exceptions.statuses,
);

/** Shows only the icon of a severity, for use next to text that names the severity. */
export function SeverityIcon({ severity }: { readonly severity: Severity }) {
  const [tone, Icon] = severityStyles[severity];
  return <Icon className={`status-${tone}`} size={15} strokeWidth={2.1} aria-hidden="true" />;
}
