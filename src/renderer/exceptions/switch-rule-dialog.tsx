import { useState } from 'react';
import type { CheckRule } from '../../contract/index.ts';
import { useAction, useClient } from '../backend/hooks.ts';
import { Button } from '../controls/button.tsx';
import { LongField } from '../controls/long-field.tsx';
import { Dialog } from '../controls/overlay.tsx';
import { ErrorNote } from '../errors/error-note.tsx';
import { closeDialog, notify } from '../view/view.ts';
import { words } from '../words/words.ts';

const text = words.rules;

/** Switches a rule off for a site, or on again; the reason is kept. */
export function SwitchRuleDialog({ site, rule }: { readonly site: string; readonly rule: CheckRule }) {
  const client = useClient();
  const [reason, setReason] = useState('');
  const off = rule.enabled;
  const switching = useAction(() =>
    client.check.switch({ site, rule: rule.rule, off, reason: reason.trim() }),
  );
  const missing = reason.trim() === '';
  const run = async () => {
    if (missing || !(await switching.run())) return;
    closeDialog();
    notify(off ? text.doneOff : text.doneOn, 'good');
  };
  return (
    <Dialog
      title={off ? text.switchOff(rule.title) : text.switchOn(rule.title)}
      onClose={closeDialog}
      dismissable={missing}
      footer={
        <>
          <Button onPress={closeDialog}>{words.controls.cancel}</Button>
          <Button
            kind="primary"
            pending={switching.running}
            reason={missing ? words.exceptions.needed : null}
            onPress={() => void run()}
          >
            {off ? text.runOff : text.runOn}
          </Button>
        </>
      }
    >
      <p>{off ? text.offText : text.onText}</p>
      <LongField
        label={text.reason}
        placeholder={off ? text.offPlaceholder : text.onPlaceholder}
        value={reason}
        onChange={setReason}
        onSubmit={() => void run()}
        maxLength={2000}
        autoFocus
      />
      {switching.error && <ErrorNote error={switching.error} site={site} />}
    </Dialog>
  );
}
