import { CircleAlert, CircleCheck, Info, Undo2, X } from 'lucide-react';
import { useEffect } from 'react';
import { errorOf } from '../../contract/index.ts';
import { Button } from '../controls/button.tsx';
import { errorLine } from '../errors/error-words.ts';
import { dismissNotice, type Notice, notify, type Undo, undoLast, useView } from '../view/view.ts';
import { words } from '../words/words.ts';
import './notices.css';

const icons = { good: CircleCheck, bad: CircleAlert, plain: Info };
const SHOWN_MS = 6_000;
const UNDO_SHOWN_MS = 12_000;

/** Short words about what was done, which leave by themselves; and the voice for screen readers. */
export function Notices() {
  const notices = useView((view) => view.notices);
  const said = useView((view) => view.said);
  return (
    <>
      <section className="notices" aria-label={words.frame.notices}>
        {notices.map((notice) => (
          <NoticeCard key={notice.id} notice={notice} />
        ))}
      </section>
      <p className="unseen" aria-live="polite">
        {said}
      </p>
    </>
  );
}

function NoticeCard({ notice }: { readonly notice: Notice }) {
  const Icon = icons[notice.tone];
  useEffect(() => {
    // A failure stays until it is read.
    if (notice.tone === 'bad') return;
    const shown = notice.undo ? UNDO_SHOWN_MS : SHOWN_MS;
    const timer = setTimeout(() => dismissNotice(notice.id), shown);
    return () => clearTimeout(timer);
  }, [notice]);
  return (
    <div className={`notice notice-${notice.tone}`}>
      <Icon className="notice-icon" size={15} aria-hidden="true" />
      <p>{notice.text}</p>
      {notice.undo && <UndoButton undo={notice.undo} />}
      <Button
        kind="quiet"
        size="small"
        icon={X}
        label={words.frame.dismiss}
        onPress={() => dismissNotice(notice.id)}
      />
    </div>
  );
}

function UndoButton({ undo }: { readonly undo: Undo }) {
  const take = () => {
    undoLast(undo).catch((thrown: unknown) => notify(errorLine(errorOf(thrown)), 'bad'));
  };
  return (
    <Button size="small" icon={Undo2} onPress={take}>
      {words.frame.undo}
    </Button>
  );
}
