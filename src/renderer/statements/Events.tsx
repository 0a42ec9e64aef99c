import type { StatementEvent } from '../../contract/index.ts';
import { Moment } from '../controls/Values.tsx';
import { words } from '../words/words.ts';

const text = words.statements;

/** What the service did meanwhile, in its own words. */
export function Events({ events }: { readonly events: readonly StatementEvent[] }) {
  if (events.length === 0) return <p className="tab-note">{text.noEvents}</p>;
  const titles = text.eventColumns;
  return (
    <div className="tab-scroll">
      <table className="ledger">
        <thead>
          <tr>
            <th scope="col">{titles.at}</th>
            <th scope="col">{titles.event}</th>
            <th scope="col">{titles.message}</th>
          </tr>
        </thead>
        <tbody>
          {events.map((event) => (
            <tr key={event.id}>
              <td className="ledger-at">
                <Moment at={event.created_at} />
              </td>
              <td className="ledger-type">{event.key}</td>
              <td>{event.message}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
