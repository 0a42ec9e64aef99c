/** Labels of jobs, shared by the window, the command line and the reports. */
export const jobStateLabels = {
  running: 'Running',
  paused: 'Paused',
  done: 'Complete',
  failed: 'Failed',
  canceled: 'Canceled',
  interrupted: 'Interrupted',
} as const;

export const jobKindLabels = {
  sync: 'Sync',
  replay: 'Replay',
  archive: 'Archive',
  import: 'Import',
  match: 'Matching',
  check: 'Check',
  report: 'Report',
  period: 'Period',
  pack: 'Evidence pack',
  allocations: 'Allocation changes',
} as const;
