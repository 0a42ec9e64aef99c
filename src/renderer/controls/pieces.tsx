import { Check, Copy, type LucideIcon } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Tabs as AriaTabs, ProgressBar, Tab, TabList, TabPanel } from 'react-aria-components';
import { say } from '../view/view.ts';
import { words } from '../words/words.ts';
import { Button } from './button.tsx';
import './pieces.css';

interface EmptyProps {
  readonly icon: LucideIcon;
  readonly title: string;
  /** Why it is empty. */
  readonly children: ReactNode;
  /** The next action; where there are two, the likelier one first. */
  readonly action?: ReactNode;
}

/** Where there is nothing to show: why, and what to do about it. */
export function Empty({ icon: Icon, title, children, action }: EmptyProps) {
  return (
    <div className="empty">
      <span className="empty-icon">
        <Icon size={22} strokeWidth={1.6} aria-hidden="true" />
      </span>
      <h2>{title}</h2>
      <p>{children}</p>
      {action}
    </div>
  );
}

interface PanelProps {
  readonly title: string;
  readonly aside?: ReactNode;
  readonly children: ReactNode;
  /** 2 where it stands under the page's title, 3 within a detail. */
  readonly level?: 2 | 3;
}

/** A titled part of a page or a detail. */
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

/** How far something is; without a total it only moves. */
export function Progress(props: {
  readonly label: string;
  readonly done: number;
  readonly total: number | null;
}) {
  const { label, done, total } = props;
  const share = total === null ? null : total === 0 ? 100 : Math.min(100, Math.floor((done * 100) / total));
  return (
    <ProgressBar className="progress" aria-label={label} value={share ?? 0} isIndeterminate={share === null}>
      <span className="progress-track">
        <span
          className={share === null ? 'progress-fill progress-moving' : 'progress-fill'}
          style={{ width: share === null ? '30%' : `${share}%` }}
        />
      </span>
    </ProgressBar>
  );
}

interface TabsProps<T extends string> {
  readonly label: string;
  readonly tabs: readonly {
    readonly id: T;
    readonly title: string;
    readonly count?: number | null;
    readonly body: () => ReactNode;
  }[];
  readonly chosen: T;
  readonly onChoose: (id: T) => void;
}

export function Tabs<T extends string>({ label, tabs, chosen, onChoose }: TabsProps<T>) {
  return (
    <AriaTabs className="tabs" selectedKey={chosen} onSelectionChange={(key) => onChoose(String(key) as T)}>
      <TabList className="tab-list" aria-label={label}>
        {tabs.map((tab) => (
          <Tab key={tab.id} id={tab.id} className="tab">
            {tab.title}
            {tab.count !== undefined && tab.count !== null && <span className="tab-count">{tab.count}</span>}
          </Tab>
        ))}
      </TabList>
      {tabs.map((tab) => (
        <TabPanel key={tab.id} id={tab.id} className="tab-panel">
          {tab.body()}
        </TabPanel>
      ))}
    </AriaTabs>
  );
}

/** Puts a text on the clipboard and says so. */
export function CopyButton({ text, label }: { readonly text: string; readonly label: string }) {
  const [copied, setCopied] = useState(false);
  return (
    <Button
      kind="quiet"
      size="small"
      icon={copied ? Check : Copy}
      label={copied ? words.controls.copied : label}
      onPress={() => {
        navigator.clipboard.writeText(text).then(
          () => {
            setCopied(true);
            say(words.controls.copied);
            setTimeout(() => setCopied(false), 1_500);
          },
          () => say(words.controls.noClipboard),
        );
      }}
    />
  );
}

/** A grey shape for what was never loaded yet. */
export function Skeleton({ lines = 6 }: { readonly lines?: number }) {
  return (
    <div className="skeleton" aria-hidden="true">
      {Array.from({ length: lines }, (_, line) => 90 - ((line * 13) % 47)).map((width) => (
        <span key={width} style={{ width: `${width}%` }} />
      ))}
    </div>
  );
}
