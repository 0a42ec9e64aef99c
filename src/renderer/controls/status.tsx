import type { LucideIcon } from 'lucide-react';
import './pieces.css';

export type Tone = 'good' | 'bad' | 'warn' | 'calm' | 'accent';

interface StatusProps {
  readonly tone: Tone;
  readonly icon: LucideIcon;
  readonly children: string;
  /** As a pill, where it stands alone. */
  readonly pill?: boolean;
}

/** A state: an icon and a word, and a colour that only repeats them. */
export function Status({ tone, icon: Icon, children, pill = false }: StatusProps) {
  return (
    <span className={`status status-${tone}${pill ? ' status-pill' : ''}`}>
      <Icon size={14} strokeWidth={2.25} aria-hidden="true" />
      {children}
    </span>
  );
}
