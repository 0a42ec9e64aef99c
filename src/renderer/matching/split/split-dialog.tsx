import { Button } from '../../controls/button.tsx';
import { Dialog } from '../../controls/dialog.tsx';
import { TextInput } from '../../controls/form-fields.tsx';
import { ErrorMessage } from '../../errors/error-message.tsx';
import { closeDialog, type SplitSource } from '../../navigation/window-state.ts';
import { texts } from '../../texts/texts.ts';
import { SplitTable } from './split-table.tsx';
import { useSplit } from './use-split.ts';
import './split.css';

const text = texts.matching.split;
const MAX_PARTS = 6;

interface SplitDialogProps {
  readonly site: string;
  readonly source: SplitSource;
}

/** Dialog for splitting a confirmed match into parts, or for matching partial amounts of bank lines and payments. */
export function SplitDialog({ site, source }: SplitDialogProps) {
  const split = useSplit(site, source);
  const { confirmedMatch, amounts, hasDifference, saving } = split;
  const isSplit = confirmedMatch !== null;
  const partCount = amounts.parts.length;
  return (
    <Dialog
      title={isSplit ? text.splitTitle(confirmedMatch.id) : text.matchPartTitle}
      size={partCount > 2 ? 'large' : 'wide'}
      onClose={closeDialog}
      dismissable={false}
      footer={
        <>
          {isSplit && (
            <span className="push">
              <Button
                disabledReason={partCount === MAX_PARTS ? text.maxParts(MAX_PARTS) : null}
                onPress={split.addPart}
              >
                {text.addPart}
              </Button>
            </span>
          )}
          <Button onPress={closeDialog}>{texts.controls.cancel}</Button>
          <Button
            kind="primary"
            isPending={saving.running}
            disabledReason={split.blockedReason}
            onPress={() => void split.submit()}
          >
            {isSplit ? text.splitButton : text.make}
          </Button>
        </>
      }
    >
      <p>{isSplit ? text.splitText : text.matchPartText}</p>
      <form
        className="split"
        onSubmit={(event) => {
          event.preventDefault();
          void split.submit();
        }}
      >
        <SplitTable items={split.items} typed={split.typed} amounts={amounts} onType={split.setTyped} />
        <div className="split-reason-fields">
          {hasDifference && (
            <TextInput
              label={text.category}
              value={split.category}
              onChange={split.setCategory}
              maxLength={40}
              placeholder={text.categoryExample}
            />
          )}
          {(hasDifference || isSplit) && (
            <TextInput
              label={texts.reason.label}
              value={split.reason}
              onChange={split.setReason}
              maxLength={2000}
            />
          )}
        </div>
        <button type="submit" hidden />
      </form>
      {saving.error && <ErrorMessage error={saving.error} site={site} />}
    </Dialog>
  );
}
