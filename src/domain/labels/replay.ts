/** Labels of replays, shared by the window, the command line and the reports. */
export const replayModeLabels = { adaptive: 'Adaptive', safe: 'Safe', fast: 'Fast' } as const;

export const replayStateLabels = {
  running: 'Running',
  paused: 'Paused',
  done: 'Complete',
  stopped: 'Stopped',
  canceled: 'Canceled',
  interrupted: 'Interrupted',
} as const;

export const replayOutcomeLabels = {
  waiting: 'Waiting',
  sending: 'Sending',
  queued: 'Queued',
  accepted: 'Accepted',
  failed: 'Failed again',
  refused: 'Rejected',
  unresolved: 'Unresolved',
} as const;

export const replayOutcomeDescriptions = {
  waiting: 'Not sent yet.',
  sending: 'The request is in progress.',
  queued: 'The service has queued the webhook. The log does not show the outcome yet.',
  accepted: 'The endpoint accepted the webhook.',
  failed: 'The webhook was sent and not accepted.',
  refused: 'The service refused to queue the webhook, or its stored body cannot be sent.',
  unresolved: 'The log has not shown an outcome for a long time.',
} as const;

/** Labels of the reasons why a selected webhook is not part of a plan. */
export const replayExclusionLabels = {
  accepted: 'Already accepted',
  unknown: 'Not stored locally',
  unreadable: 'Not stored in the original form encoding',
  unverified: 'Signed with another shared key',
  retrying: 'Still retried by the service',
} as const;

export const replayPauseLabels = {
  user: 'Paused',
  key: 'API key rejected',
  breaker: 'Endpoint not accepting',
  refusals: 'The service refuses every webhook',
} as const;

export const replayActionLabels: Readonly<Record<string, string>> = {
  'replay.run': 'Started',
  'replay.pause': 'Paused',
  'replay.resume': 'Resumed',
  'replay.cancel': 'Canceled',
  'replay.end': 'Ended',
};
