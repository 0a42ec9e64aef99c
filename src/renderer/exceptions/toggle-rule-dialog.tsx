import type { CheckRule } from '../../contract/index.ts';
import { useContractClient } from '../backend-client/backend-hooks.ts';
import { ReasonDialog } from '../layout/reason-dialog.tsx';
import { texts } from '../texts/texts.ts';

const text = texts.rules;

/** Dialog for turning a rule off or on for a site. The reason is recorded in the audit log. */
export function ToggleRuleDialog({ site, rule }: { readonly site: string; readonly rule: CheckRule }) {
  const client = useContractClient();
  const off = rule.enabled;
  return (
    <ReasonDialog
      site={site}
      title={off ? text.switchOff(rule.title) : text.switchOn(rule.title)}
      submitLabel={off ? text.submitOff : text.submitOn}
      placeholder={off ? text.offPlaceholder : text.onPlaceholder}
      focusReason
      onSubmit={(reason) => client.check.switch({ site, rule: rule.rule, off, reason })}
      successText={() => (off ? text.doneOff : text.doneOn)}
    >
      <p>{off ? text.offText : text.onText}</p>
    </ReasonDialog>
  );
}
