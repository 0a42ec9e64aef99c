/** Labels of exceptions, shared by the window, the command line and the reports. Each check rule has its own title. */
export const severityLabels = { error: 'Error', warning: 'Warning', notice: 'Notice' } as const;

export const exceptionStatusLabels = { open: 'Open', accepted: 'Accepted', closed: 'Closed' } as const;

export const exceptionActionLabels = {
  found: 'Found',
  changed: 'Updated',
  assigned: 'Assigned',
  accepted: 'Accepted',
  reopened: 'Reopened',
  closed: 'Closed',
} as const;

export const ruleScopeLabels = {
  statement: 'Statements',
  chain: 'Consecutive statements',
  payment: 'Payments',
  webhook: 'Webhooks',
  allocation: 'Allocations',
} as const;
