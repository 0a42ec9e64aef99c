import type { LucideIcon } from 'lucide-react';
import './controls.css';

export type StatusTone = 'good' | 'bad' | 'warn' | 'calm' | 'accent';

interface StatusLabelProps {
  readonly tone: StatusTone;
  readonly icon: LucideIcon;
  readonly children: string;
  /** True to render the label as a pill. */
  readonly pill?: boolean;
}

/** Status shown as an icon and a word. The color conveys no additional information. */
export function StatusLabel({ tone, icon: Icon, children, pill = false }: StatusLabelProps) {
  return (
    <span className={`status status-${tone}${pill ? ' status-pill' : ''}`}>
      <Icon size={14} strokeWidth={2.25} aria-hidden="true" />
      {children}
    </span>
  );
}
