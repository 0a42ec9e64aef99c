import type { AllocationDetail } from '../../contract/index.ts';
import { useQuery } from '../backend-client/backend-hooks.ts';
import { Button } from '../controls/button.tsx';
import { Dialog } from '../controls/dialog.tsx';
import { DateTime, LabeledValueList, Money } from '../controls/formatted-values.tsx';
import { Link } from '../controls/link.tsx';
import { closeDialog, navigate } from '../navigation/window-state.ts';
import { formatQuantity } from '../texts/numbers.ts';
import { texts } from '../texts/texts.ts';

import './allocations.css';

const text = texts.changes;
const titles = text.allocationFacts;

/** Dialog that shows one allocation with its proration schemes and related records. */
export function AllocationDialog(props: { readonly site: string; readonly allocation: AllocationDetail }) {
  const { site, allocation } = props;
  const { data: siteData } = useQuery('sites.get', { site });
  const { component_id, quantity, previous_quantity, direction, chained, webhook, transactions } = allocation;
  const closeAndNavigate = (to: Parameters<typeof navigate>[0]) => {
    closeDialog();
    navigate(to);
  };
  return (
    <Dialog
      title={text.allocation(component_id)}
      onClose={closeDialog}
      footer={<Button onPress={closeDialog}>{text.close}</Button>}
    >
      <LabeledValueList
        rows={[
          [
            titles.change,
            `${formatQuantity(previous_quantity)} → ${formatQuantity(quantity)}, ${text.directions[direction]}`,
          ],
          [titles.recorded, <DateTime key="at" at={allocation.timestamp} precision="second" />],
          [titles.memo, allocation.memo],
          [titles.upgrade, formatScheme('upgrade', allocation.proration_upgrade_scheme)],
          [titles.downgrade, formatScheme('downgrade', allocation.proration_downgrade_scheme)],
          [titles.chain, chained === null ? text.firstStored : chained ? text.chained : text.broken],
          [
            titles.webhook,
            webhook ? (
              <Link
                key="webhook"
                onPress={() => closeAndNavigate({ screen: 'webhooks', item: String(webhook.id) })}
              >
                {`${text.webhookLink(webhook.id)}, ${texts.webhooks.delivery[webhook.delivery]}`}
              </Link>
            ) : (
              text.noWebhook
            ),
          ],
          [
            titles.money,
            transactions.length === 0 ? (
              text.noMoney
            ) : (
              <ul key="money" className="money-list">
                {transactions.map((each) => (
                  <li key={each.id}>
                    <div>
                      <Money
                        cents={each.amount_in_cents}
                        {...(siteData ? { currency: siteData.currency } : {})}
                      />{' '}
                      {each.memo}
                    </div>
                    <div>
                      <Link
                        onPress={() =>
                          closeAndNavigate({ screen: 'statements', item: String(each.statement_id) })
                        }
                      >
                        {text.statementLink(each.statement_id)}
                      </Link>
                    </div>
                  </li>
                ))}
              </ul>
            ),
          ],
        ]}
      />
    </Dialog>
  );
}

function formatScheme(direction: 'upgrade' | 'downgrade', scheme: string | null): string {
  if (scheme === null) return text.noScheme;
  const meaning = text.schemeMeaning(direction, scheme);
  return meaning === null ? scheme : `${scheme}. ${meaning}`;
}
