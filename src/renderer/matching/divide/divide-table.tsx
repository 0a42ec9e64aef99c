import { Fragment } from 'react';
import { Input } from 'react-aria-components';
import { Money } from '../../controls/values.tsx';
import { amountText, decimalOf } from '../../words/money.ts';
import { words } from '../../words/words.ts';
import type { Allotment, MemberVerdict, PartVerdict, Typed } from './allotment.ts';
import type { DividedMember } from './dividing.ts';

const text = words.matching.divide;
const sides = ['lines', 'payments'] as const;

interface DivideTableProps {
  readonly members: readonly DividedMember[];
  readonly typed: readonly Typed[];
  readonly allotment: Allotment;
  readonly onType: (typed: readonly Typed[]) => void;
}

/** Lines and payments with what each part takes of them, what is left of each, and what each part comes to. */
export function DivideTable({ members, typed, allotment, onType }: DivideTableProps) {
  const { parts } = allotment;
  const currency = members[0]?.currency ?? '';
  const type = (at: number, part: number, value: string) =>
    onType(
      members.map((_, other) => {
        const before = typed[other] ?? [];
        return other === at
          ? parts.map((each, place) => (each.part === part ? value : (before[place] ?? '')))
          : before;
      }),
    );
  return (
    <table className="divide-table">
      <thead>
        <tr>
          <th scope="col">{text.columns.who}</th>
          <th scope="col" className="end">
            {text.columns.open(currency)}
          </th>
          {parts.map(({ part }) => (
            <th key={part} scope="col" className="end">
              {parts.length === 1 ? text.columns.taken : text.columns.part(part)}
            </th>
          ))}
          <th scope="col" className="end">
            {text.columns.left}
          </th>
        </tr>
      </thead>
      <tbody>
        {sides
          .filter((side) => members.some((member) => member.side === side))
          .map((side) => (
            <Fragment key={side}>
              <tr className="divide-side">
                <th scope="rowgroup" colSpan={parts.length + 3}>
                  {side === 'lines' ? words.matching.bankSide : words.matching.statementSide}
                </th>
              </tr>
              {members.map((member, at) => {
                const verdict = allotment.members[at];
                return (
                  member.side === side &&
                  verdict && (
                    <Row
                      key={`${side} ${member.id}`}
                      member={member}
                      typed={typed[at] ?? []}
                      verdict={verdict}
                      parts={parts}
                      onType={(part, value) => type(at, part, value)}
                    />
                  )
                );
              })}
            </Fragment>
          ))}
      </tbody>
      <tfoot aria-live="polite">
        <tr>
          <th scope="row" colSpan={2}>
            {text.columns.difference}
          </th>
          {parts.map(({ part, difference_in_cents, used }) => (
            <td key={part} className={difference_in_cents === 0 ? 'end' : 'end divide-differs'}>
              {used && <Money cents={difference_in_cents} />}
            </td>
          ))}
          <td />
        </tr>
      </tfoot>
    </table>
  );
}

interface RowProps {
  readonly member: DividedMember;
  readonly typed: Typed;
  readonly verdict: MemberVerdict;
  readonly parts: readonly PartVerdict[];
  readonly onType: (part: number, value: string) => void;
}

/** `=` in a field takes what is left of the row. */
function Row({ member, typed, verdict, parts, onType }: RowProps) {
  return (
    <tr>
      <th scope="row">
        <span title={member.title}>{member.title}</span>
        <small>{member.said}</small>
      </th>
      <td className="end">
        <Money cents={member.open_in_cents} />
      </td>
      {parts.map(({ part }) => (
        <td key={part}>
          <Input
            className="input divide-input"
            inputMode="decimal"
            autoComplete="off"
            aria-label={text.takenOf(member.title, parts.length === 1 ? null : part)}
            aria-invalid={verdict.fault !== null && verdict.cents[part - 1] !== 0}
            placeholder={amountText(0)}
            value={typed[part - 1] ?? ''}
            onChange={(event) => onType(part, event.target.value)}
            onFocus={(event) => event.target.select()}
            onKeyDown={(event) => {
              if (event.key !== '=') return;
              event.preventDefault();
              const rest = verdict.left_in_cents + (verdict.cents[part - 1] ?? 0);
              onType(part, rest === 0 ? '' : decimalOf(rest));
            }}
          />
        </td>
      ))}
      <td className={verdict.fault === null ? 'end' : 'end divide-differs'}>
        {verdict.fault === null ? (
          <Money cents={verdict.left_in_cents} />
        ) : (
          <span>{text.faultsShort[verdict.fault]}</span>
        )}
      </td>
    </tr>
  );
}
