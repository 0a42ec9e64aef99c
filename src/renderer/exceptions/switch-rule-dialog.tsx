import { useState } from 'react';
import type { CheckRule } from '../../contract/index.ts';
import { useAction, useContractClient } from '../backend-client/backend-hooks.ts';
import { Button } from '../controls/button.tsx';
import { Dialog } from '../controls/dialog.tsx';
import { MultilineField } from '../controls/multiline-field.tsx';
import { ErrorMessage } from '../errors/error-message.tsx';
import { closeDialog, showNotice } from '../navigation/window-state.ts';
import { texts } from '../texts/texts.ts';

const text = texts.rules;

/** Dialog for turning a rule off or on for a site. The reason is recorded in the audit log. */
export function SwitchRuleDialog({ site, rule }: { readonly site: string; readonly rule: CheckRule }) {
  const client = useContractClient();
  const [reason, setReason] = useState('');
  const off = rule.enabled;
  const switching = useAction(() =>
    client.check.switch({ site, rule: rule.rule, off, reason: reason.trim() }),
  );
  const missing = reason.trim() === '';
  const run = async () => {
    if (missing || !(await switching.run())) return;
    closeDialog();
    showNotice(off ? text.doneOff : text.doneOn, 'good');
  };
  return (
    <Dialog
      title={off ? text.switchOff(rule.title) : text.switchOn(rule.title)}
      onClose={closeDialog}
      dismissable={missing}
      footer={
        <>
          <Button onPress={closeDialog}>{texts.controls.cancel}</Button>
          <Button
            kind="primary"
            isPending={switching.running}
            disabledReason={missing ? texts.exceptions.textRequired : null}
            onPress={() => void run()}
          >
            {off ? text.submitOff : text.submitOn}
          </Button>
        </>
      }
    >
      <p>{off ? text.offText : text.onText}</p>
      <MultilineField
        label={text.reason}
        placeholder={off ? text.offPlaceholder : text.onPlaceholder}
        value={reason}
        onChange={setReason}
        onSubmit={() => void run()}
        maxLength={2000}
        autoFocus
      />
      {switching.error && <ErrorMessage error={switching.error} site={site} />}
    </Dialog>
  );
}
