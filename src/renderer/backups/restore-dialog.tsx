import { useClient } from '../backend/hooks.ts';
import { ReasonDialog } from '../frame/reason-dialog.tsx';
import { go } from '../view/view.ts';
import { words } from '../words/words.ts';
import type { CopySource } from './place.ts';

const text = words.backups;

interface RestoreProps {
  readonly site: string;
  readonly from: CopySource;
  /** Of the difference that was shown. */
  readonly shown: string;
  readonly when: string;
}

/** Puts a copy in the place of the books, with the reason; only as it was shown. */
export function RestoreDialog({ site, from, shown, when }: RestoreProps) {
  const client = useClient();
  return (
    <ReasonDialog
      site={site}
      title={text.restoreTitle(when)}
      run={text.restoreNow}
      placeholder={text.restoreExample}
      size="small"
      danger
      first
      act={async (reason) => {
        await client.backups.restore({ site, from, shown, reason });
        go({ screen: 'backups', item: null });
      }}
      done={() => text.restored}
    >
      <p>{text.restoreText}</p>
    </ReasonDialog>
  );
}
