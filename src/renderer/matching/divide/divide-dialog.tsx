import { useState } from 'react';
import type { MatchGroup } from '../../../contract/index.ts';
import { useAction, useClient } from '../../backend/hooks.ts';
import { Button } from '../../controls/button.tsx';
import { Field } from '../../controls/field.tsx';
import { Dialog } from '../../controls/overlay.tsx';
import { ErrorNote } from '../../errors/error-note.tsx';
import { closeDialog, type Dividing } from '../../view/view.ts';
import { decimalOf } from '../../words/money.ts';
import { words } from '../../words/words.ts';
import { notifyMade } from '../decide.ts';
import { type Allotment, allot } from './allotment.ts';
import { DivideTable } from './divide-table.tsx';
import { membersOf, partsOf } from './dividing.ts';
import './divide.css';

const text = words.matching.divide;
const MOST_PARTS = 6;

interface DivideProps {
  readonly site: string;
  readonly dividing: Dividing;
}

/**
 * Money divided by hand: so much of each line and payment. What was picked becomes one match; a confirmed match is taken apart into
 * several, a proposal gives way to what is made of it.
 */
export function DivideDialog({ site, dividing }: DivideProps) {
  const client = useClient();
  const { group } = dividing;
  const [members] = useState(() => membersOf(dividing));
  const apart = group?.status === 'confirmed';
  const [parts, setParts] = useState(apart ? 2 : 1);
  const [typed, setTyped] = useState<readonly (readonly string[])[]>(() =>
    members.map(({ begun }) => [begun === 0 ? '' : decimalOf(begun)]),
  );
  const [category, setCategory] = useState(group?.adjustments[0]?.category ?? '');
  const [reason, setReason] = useState('');
  const allotment = allot(members, typed, parts);
  const differs = allotment.parts.some(({ used, difference_in_cents }) => used && difference_in_cents !== 0);
  const hindrance = hindranceOf(allotment, { category, reason, differs, apart });
  const making = useAction(async () => {
    const made = partsOf(members, allotment, { category: category.trim(), reason: reason.trim() });
    const why = reason.trim();
    if (apart) return await client.match.split({ site, id: group.id, parts: made, reason: why });
    const [only] = made;
    if (only === undefined) return [];
    const one = await client.match.make({ site, ...only, ...(why === '' ? {} : { reason: why }) });
    // The proposal gives way; taking the match back takes back that as well.
    const declined =
      group === null
        ? []
        : await client.match.decline({ site, ids: [group.id], reason: text.instead(one.id) });
    return [one, ...declined];
  });
  const make = async () => {
    if (hindrance !== null) return;
    const made: readonly MatchGroup[] | null = await making.run();
    if (made === null) return;
    closeDialog();
    if (dividing.group === null) dividing.onDone();
    notifyMade(client, site, made);
  };
  return (
    <Dialog
      title={apart ? text.apartTitle(group.id) : text.title}
      size={parts > 2 ? 'large' : 'wide'}
      onClose={closeDialog}
      dismissable={false}
      footer={
        <>
          {apart && (
            <span className="push">
              <Button
                reason={parts === MOST_PARTS ? text.mostParts(MOST_PARTS) : null}
                onPress={() => setParts(parts + 1)}
              >
                {text.addPart}
              </Button>
            </span>
          )}
          <Button onPress={closeDialog}>{words.controls.cancel}</Button>
          <Button kind="primary" pending={making.running} reason={hindrance} onPress={() => void make()}>
            {apart ? text.apart : text.make}
          </Button>
        </>
      }
    >
      <p>{apart ? text.apartText : text.text}</p>
      <form
        className="divide"
        onSubmit={(event) => {
          event.preventDefault();
          void make();
        }}
      >
        <DivideTable members={members} typed={typed} allotment={allotment} onType={setTyped} />
        <div className="divide-words">
          {differs && (
            <Field
              label={text.category}
              value={category}
              onChange={setCategory}
              maxLength={40}
              placeholder={text.categoryExample}
            />
          )}
          {(differs || apart) && (
            <Field label={words.reason.label} value={reason} onChange={setReason} maxLength={2000} />
          )}
        </div>
        <button type="submit" hidden />
      </form>
      {making.error && <ErrorNote error={making.error} site={site} />}
    </Dialog>
  );
}

interface Said {
  readonly category: string;
  readonly reason: string;
  readonly differs: boolean;
  readonly apart: boolean;
}

/** Why it cannot be done as it stands; null where it can. */
function hindranceOf(
  { members, parts }: Allotment,
  { category, reason, differs, apart }: Said,
): string | null {
  const fault = members.find((member) => member.fault !== null)?.fault;
  if (fault) return text.faults[fault];
  const used = parts.filter((part) => part.used).length;
  if (used < (apart ? 2 : 1)) return apart ? text.tooFew : text.nothing;
  if (differs && (category.trim() === '' || reason.trim() === '')) return text.differs;
  return apart && reason.trim() === '' ? words.reason.missing : null;
}
