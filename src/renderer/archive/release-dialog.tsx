import type { ArchiveHold } from '../../contract/index.ts';
import { useClient } from '../backend/hooks.ts';
import { ReasonDialog } from '../frame/reason-dialog.tsx';
import { words } from '../words/words.ts';
import { holdName } from './keeping.tsx';

const text = words.archive.releasing;

/** Releases a hold, with the reason. */
export function ReleaseDialog({ site, hold }: { readonly site: string; readonly hold: ArchiveHold }) {
  const client = useClient();
  return (
    <ReasonDialog
      site={site}
      title={text.title(holdName(hold))}
      run={text.run}
      placeholder={text.placeholder}
      size="small"
      first
      act={(reason) => client.archive.release({ site, holds: [hold.hold], reason })}
      done={() => text.done}
    >
      <p>{text.text}</p>
    </ReasonDialog>
  );
}
