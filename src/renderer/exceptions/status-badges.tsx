import {
  CheckCheck,
  CircleCheck,
  CircleDot,
  Info,
  type LucideIcon,
  OctagonAlert,
  TriangleAlert,
} from 'lucide-react';
import type { ExceptionStatus, Severity } from '../../contract/index.ts';
import { StatusLabel, type StatusTone } from '../controls/status-label.tsx';
import { texts } from '../texts/texts.ts';

const severities: Record<Severity, readonly [StatusTone, LucideIcon]> = {
  error: ['bad', OctagonAlert],
  warning: ['warn', TriangleAlert],
  notice: ['calm', Info],
};

const statuses: Record<ExceptionStatus, readonly [StatusTone, LucideIcon]> = {
  open: ['accent', CircleDot],
  accepted: ['good', CheckCheck],
  closed: ['calm', CircleCheck],
};

interface Pill {
  readonly pill?: boolean;
}

export function SeverityBadge({ severity, pill = false }: Pill & { readonly severity: Severity }) {
  const [tone, icon] = severities[severity];
  return (
    <StatusLabel tone={tone} icon={icon} pill={pill}>
      {texts.exceptions.severities[severity]}
    </StatusLabel>
  );
}

/** Shows only the icon of a severity, for use next to text that names the severity. */
export function SeverityIcon({ severity }: { readonly severity: Severity }) {
  const [tone, Icon] = severities[severity];
  return <Icon className={`status-${tone}`} size={15} strokeWidth={2.1} aria-hidden="true" />;
}

export function ExceptionStatusBadge({ status, pill = false }: Pill & { readonly status: ExceptionStatus }) {
  const [tone, icon] = statuses[status];
  return (
    <StatusLabel tone={tone} icon={icon} pill={pill}>
      {texts.exceptions.statuses[status]}
    </StatusLabel>
  );
}
