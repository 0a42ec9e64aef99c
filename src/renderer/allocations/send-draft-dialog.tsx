import { Send } from 'lucide-react';
import { useState } from 'react';
import { useAction, useContractClient, useQuery } from '../backend-client/backend-hooks.ts';
import { useCommandContext } from '../commands/use-command-context.ts';
import { Button } from '../controls/button.tsx';
import { Dialog } from '../controls/dialog.tsx';
import { TextInput } from '../controls/form-fields.tsx';
import { Skeleton } from '../controls/skeleton.tsx';
import { ErrorMessage } from '../errors/error-message.tsx';
import { announceToScreenReader, closeDialog } from '../navigation/window-state.ts';
import { texts } from '../texts/texts.ts';
import { ProrationSchemeDescription } from './allocation-status.tsx';

import './allocations.css';

const text = texts.changes;
/** Maximum number of changes listed in the confirmation dialog, chosen by judgment. The draft lists all of them. */
const MAX_LISTED_CHANGES = 20;

/** Dialog that asks for confirmation before sending a draft, showing the site and each change. */
export function SendDraftDialog({ site, draft: id }: { readonly site: string; readonly draft: string }) {
  const client = useContractClient();
  const { unavailableReason } = useCommandContext();
  const { data: siteData } = useQuery('sites.get', { site });
  const { data: draft } = useQuery('allocations.getDraft', { site, draft: id });
  const { data: changes } = useQuery('allocations.changes', {
    site,
    draft: id,
    show: 'ready',
    limit: MAX_LISTED_CHANGES,
  });
  const [stopAfter, setStopAfter] = useState('5');
  const maxFailures = /^\s*[1-9]\d{0,5}\s*$/.test(stopAfter) ? Number(stopAfter) : null;
  const sending = useAction((sha256: string, stop_after: number) =>
    client.allocations.send({ site, draft: id, sha256, stop_after }),
  );
  const title = siteData?.title ?? site;
  const confirm = async () => {
    if (!draft || maxFailures === null) return;
    if (!(await sending.run(draft.sha256, maxFailures))) return;
    closeDialog();
    announceToScreenReader(text.states.running);
  };
  return (
    <Dialog
      title={text.sendTitle(title)}
      onClose={closeDialog}
      footer={
        <>
          <Button onPress={closeDialog}>{texts.controls.cancel}</Button>
          {draft && (
            <Button
              kind="primary"
              icon={Send}
              isPending={sending.running}
              disabledReason={
                unavailableReason ??
                (draft.ready === 0 ? text.nothingReady : maxFailures === null ? text.stopAfterWrong : null)
              }
              onPress={() => void confirm()}
            >
              {text.confirm(draft.ready, title)}
            </Button>
          )}
        </>
      }
    >
      {draft && changes ? (
        <>
          <p>{text.sendLead(draft.ready, title)}</p>
          <ul className="send-list">
            {changes.rows.map((change) => (
              <li key={change.ordinal}>
                <strong>{text.line(change)}</strong>
                <ProrationSchemeDescription change={change} />
                {change.memo !== null && <span className="fineprint">“{change.memo}”</span>}
              </li>
            ))}
            {draft.ready > changes.rows.length && <li>{text.more(draft.ready - changes.rows.length)}</li>}
          </ul>
          <p className="fineprint">{text.sendEach}</p>
          {draft.ready > 1 && (
            <TextInput
              label={text.stopAfter}
              value={stopAfter}
              onChange={setStopAfter}
              numeric
              error={maxFailures === null ? text.stopAfterWrong : null}
            />
          )}
        </>
      ) : (
        <Skeleton lines={4} />
      )}
      {sending.error && <ErrorMessage error={sending.error} site={site} />}
    </Dialog>
  );
}
