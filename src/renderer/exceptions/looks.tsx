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
import { Status, type Tone } from '../controls/status.tsx';
import { words } from '../words/words.ts';

const severities: Record<Severity, readonly [Tone, LucideIcon]> = {
  error: ['bad', OctagonAlert],
  warning: ['warn', TriangleAlert],
  notice: ['calm', Info],
};

const statuses: Record<ExceptionStatus, readonly [Tone, LucideIcon]> = {
  open: ['accent', CircleDot],
  accepted: ['good', CheckCheck],
  closed: ['calm', CircleCheck],
};

interface Pill {
  readonly pill?: boolean;
}

export function SeverityStatus({ severity, pill = false }: Pill & { readonly severity: Severity }) {
  const [tone, icon] = severities[severity];
  return (
    <Status tone={tone} icon={icon} pill={pill}>
      {words.exceptions.severities[severity]}
    </Status>
  );
}

/** Beside a text that says the severity itself. */
export function SeverityIcon({ severity }: { readonly severity: Severity }) {
  const [tone, Icon] = severities[severity];
  return <Icon className={`status-${tone}`} size={15} strokeWidth={2.1} aria-hidden="true" />;
}

export function DecisionStatus({ status, pill = false }: Pill & { readonly status: ExceptionStatus }) {
  const [tone, icon] = statuses[status];
  return (
    <Status tone={tone} icon={icon} pill={pill}>
      {words.exceptions.statuses[status]}
    </Status>
  );
}
