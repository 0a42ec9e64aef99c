import { CircleAlert, CircleCheck, ExternalLink, Info, Undo2, X } from 'lucide-react';
import { useEffect } from 'react';
import { toContractError } from '../../contract/index.ts';
import { Button } from '../controls/button.tsx';
import { formatError } from '../errors/error-texts.ts';
import {
  dismissNotice,
  type Notice,
  type NoticeLink,
  showNotice,
  type UndoAction,
  undoLastAction,
  useWindowState,
} from '../navigation/window-state.ts';
import { texts } from '../texts/texts.ts';
import './notices.css';

const icons = { good: CircleCheck, bad: CircleAlert, plain: Info };
const NOTICE_DURATION_MS = 6_000;
const UNDO_NOTICE_DURATION_MS = 12_000;

/** Shows notices in a live region for screen readers. Success notices without a link disappear after a while. */
export function NoticeList() {
  const notices = useWindowState((state) => state.notices);
  const announcement = useWindowState((state) => state.announcement);
  return (
    <>
      <section className="notices" aria-label={texts.frame.notices}>
        {notices.map((notice) => (
          <NoticeCard key={notice.id} notice={notice} />
        ))}
      </section>
      <p className="visually-hidden" aria-live="polite">
        {announcement}
      </p>
    </>
  );
}

function NoticeCard({ notice }: { readonly notice: Notice }) {
  const Icon = icons[notice.tone];
  useEffect(() => {
    // A failure or a link stays until the user dismisses the notice.
    if (notice.tone === 'bad' || notice.link) return;
    const durationMs = notice.undo ? UNDO_NOTICE_DURATION_MS : NOTICE_DURATION_MS;
    const timer = setTimeout(() => dismissNotice(notice.id), durationMs);
    return () => clearTimeout(timer);
  }, [notice]);
  return (
    <div className={`notice notice-${notice.tone}`}>
      <Icon className="notice-icon" size={15} aria-hidden="true" />
      <p>{notice.text}</p>
      {notice.undo && <UndoButton undo={notice.undo} />}
      {notice.link && <BrowserLinkButton link={notice.link} />}
      <Button
        kind="quiet"
        size="small"
        icon={X}
        label={texts.frame.dismiss}
        onPress={() => dismissNotice(notice.id)}
      />
    </div>
  );
}

/** Opens a page in the user's browser. Electron asks the user before a link leaves the app. */
function BrowserLinkButton({ link }: { readonly link: NoticeLink }) {
  return (
    <Button size="small" icon={ExternalLink} onPress={() => void window.open(link.url, '_blank', 'noopener')}>
      {link.label}
    </Button>
  );
}

function UndoButton({ undo }: { readonly undo: UndoAction }) {
  const runUndo = () => {
    undoLastAction(undo).catch((thrown: unknown) => showNotice(formatError(toContractError(thrown)), 'bad'));
  };
  return (
    <Button size="small" icon={Undo2} onPress={runUndo}>
      {texts.frame.undo}
    </Button>
  );
}
