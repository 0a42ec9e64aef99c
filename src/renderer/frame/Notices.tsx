import { CircleAlert, CircleCheck, Info, X } from 'lucide-react';
import { useEffect } from 'react';
import { Button } from '../controls/Button.tsx';
import { dismissNotice, type Notice, useView } from '../view/view.ts';
import { words } from '../words/words.ts';

const icons = { good: CircleCheck, bad: CircleAlert, plain: Info };
const SHOWN_MS = 6_000;

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
    const timer = setTimeout(() => dismissNotice(notice.id), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [notice]);
  return (
    <div className={`notice notice-${notice.tone}`}>
      <Icon className="notice-icon" size={15} aria-hidden="true" />
      <p>{notice.text}</p>
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
