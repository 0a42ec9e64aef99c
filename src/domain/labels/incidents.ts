import { outageKindLabels } from './webhooks.ts';

/** Labels of incidents, shared by the window, the command line and the reports. */
export const incidentKindLabels = {
  ...outageKindLabels,
  error_group: 'Error group',
  selection: 'Selected webhooks',
} as const;

export const incidentStateLabels = {
  open: 'Open',
  acknowledged: 'Acknowledged',
  resolved: 'Resolved',
} as const;
