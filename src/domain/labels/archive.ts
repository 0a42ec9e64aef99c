/** Labels of the archive and its exports, shared by the window, the command line and the reports. */
export const archiveFileStateLabels = { intact: 'Intact', damaged: 'Damaged', missing: 'Missing' } as const;

export const exportStateLabels = {
  planned: 'Planned',
  running: 'Running',
  done: 'Complete',
  failed: 'Failed',
  canceled: 'Canceled',
  interrupted: 'Interrupted',
} as const;

export const exportKindLabels = { folder: 'Folder', zip: 'ZIP file' } as const;

export const archiveJobStepLabels = {
  pdf: 'Downloading PDFs',
  check: 'Checking files',
  repair: 'Downloading damaged files again',
  export: 'Writing the export',
  verify: 'Verifying the export',
} as const;
