import type { ReactNode } from 'react';
import './controls.css';

interface PanelProps {
  readonly title: string;
  readonly aside?: ReactNode;
  readonly children: ReactNode;
  /** Heading level: 2 on a page, 3 in a detail pane. */
  readonly level?: 2 | 3;
}

/** Titled section of a page or detail pane. */
export function Panel({ title, aside, children, level = 3 }: PanelProps) {
  const Title = level === 2 ? 'h2' : 'h3';
  return (
    <section className="panel" aria-label={title}>
      <header className="panel-head">
        <Title>{title}</Title>
        {aside}
      </header>
      {children}
    </section>
  );
}
