import type { LucideIcon } from 'lucide-react';
import './controls.css';

export type StatusTone = 'good' | 'bad' | 'warn' | 'calm' | 'accent';

interface StatusLabelProps {
  readonly tone: StatusTone;
  readonly icon: LucideIcon;
  readonly text: string;
  readonly pill?: boolean;
}

/** Status shown as an icon and a word. The color conveys no additional information. */
export function StatusLabel({ tone, icon: Icon, text, pill = false }: StatusLabelProps) {
  return (
    <span className={`status status-${tone}${pill ? ' status-pill' : ''}`}>
      <Icon size={14} strokeWidth={2.25} aria-hidden="true" />
      {text}
    </span>
  );
}

export type StatusStyleMap<S extends string> = Readonly<Record<S, readonly [StatusTone, LucideIcon]>>;

/** Creates a component that shows a status as icon and label. Its property `labels` supplies the text for copying. */
export function createStatusBadge<S extends string>(
  styles: StatusStyleMap<S>,
  labels: Readonly<Record<S, string>>,
) {
  function StatusBadge({ status, pill = false }: { readonly status: S; readonly pill?: boolean }) {
    const [tone, icon] = styles[status];
    return <StatusLabel tone={tone} icon={icon} text={labels[status]} pill={pill} />;
  }
  return Object.assign(StatusBadge, { labels });
}

export type StatusBadge<S extends string> = ReturnType<typeof createStatusBadge<S>>;
