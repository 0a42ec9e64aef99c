import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import './controls.css';

interface EmptyStateProps {
  readonly icon: LucideIcon;
  readonly title: string;
  readonly text: ReactNode;
  /** Next action to offer. If there are two actions, the more likely one comes first. */
  readonly action?: ReactNode;
}

/** Message shown in place of missing content, with the next action. */
export function EmptyState({ icon: Icon, title, text, action }: EmptyStateProps) {
  return (
    <div className="empty">
      <span className="empty-icon">
        <Icon size={22} strokeWidth={1.6} aria-hidden="true" />
      </span>
      <h2>{title}</h2>
      <p>{text}</p>
      {action}
    </div>
  );
}
