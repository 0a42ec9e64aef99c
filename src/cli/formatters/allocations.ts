import type { AllocationDetail } from '../../contract/allocations/allocation-schema.ts';
import type { SubscriptionComponent } from '../../contract/allocations/allocations.ts';
import { formatMinute, formatNumber } from '../output/format-values.ts';
import { createCountColumn, formatLabeledValues, type TableColumn } from '../output/table.ts';

const formatTransactionIds = ({ transactions }: AllocationDetail) =>
  transactions.map(({ id }) => id).join(' ');

export const allocationHistoryColumns: TableColumn<AllocationDetail>[] = [
  { header: 'time (UTC)', cell: ({ timestamp }) => timestamp },
  { header: 'quantity', cell: ({ quantity }) => quantity, align: 'right' },
  { header: 'previous', cell: ({ previous_quantity }) => previous_quantity, align: 'right' },
  { header: 'upgrade', cell: (row) => row.proration_upgrade_scheme, isOptional: true },
  { header: 'downgrade', cell: (row) => row.proration_downgrade_scheme, isOptional: true },
  { header: 'continuity', cell: ({ chained }) => (chained === false ? 'broken' : '') },
  { header: 'webhook', cell: ({ webhook }) => webhook?.id, isOptional: true },
  { header: 'charges and credits', cell: formatTransactionIds, isOptional: true },
  { header: 'memo', cell: ({ memo }) => memo, minWidth: 12 },
];

export const subscriptionComponentColumns: TableColumn<SubscriptionComponent>[] = [
  { header: 'subscription', cell: (row) => row.subscription_id, align: 'right' },
  { header: 'component', cell: (row) => row.component_id, align: 'right' },
  { header: 'name', cell: (row) => row.component_name, minWidth: 12 },
  { header: 'customer', cell: (row) => row.customer_name, minWidth: 12 },
  { header: 'quantity', cell: (row) => row.quantity, align: 'right' },
  createCountColumn('allocations', (row) => row.allocations, { isOptional: true }),
  { header: 'last change', cell: (row) => formatMinute(row.last_at) },
  { header: 'state', cell: (row) => row.state },
];

export function formatSubscriptionComponent(component: SubscriptionComponent): string[] {
  return formatLabeledValues([
    ['subscription', component.subscription_id],
    ['component', component.component_id],
    ['name', component.component_name],
    ['customer', component.customer_name],
    ['quantity', component.quantity],
    ['allocations', formatNumber(component.allocations)],
    ['last change', component.last_at],
    ['state', component.state],
  ]);
}
