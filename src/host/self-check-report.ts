/** Report of `npm start -- --check`, which a user can send to the developers. It contains no data of the user. */
export interface SelfCheckReport {
  readonly ok: boolean;
  readonly versions: Readonly<Record<string, string>>;
  readonly start: StartTimes;
  readonly checks: readonly SelfCheck[];
}

/** Times since the start of the process in milliseconds; null if not reached or unknown. */
export interface StartTimes {
  /** Time at which the page had connected to the backend. */
  readonly connected_ms: number | null;
  /** Time at which the window's page was first painted. */
  readonly first_paint_ms: number | null;
}

export interface SelfCheck {
  readonly name: string;
  readonly ok: boolean;
  /** Observed result of the check, or the error. */
  readonly detail: string;
}

/** Returns the report for a computer on which the checks cannot run, for example because Electron does not start. */
export function createFailedReport(
  versions: Readonly<Record<string, string>>,
  failed: Pick<SelfCheck, 'name' | 'detail'>,
): SelfCheckReport {
  const start = { connected_ms: null, first_paint_ms: null };
  return { ok: false, versions, start, checks: [{ ...failed, ok: false }] };
}

/** Returns the versions that every report contains. */
export function collectVersions(tieout: string): Record<string, string> {
  const { electron = '', chrome = '', node, v8 } = process.versions;
  return { tieout, electron, chrome, node, v8, platform: process.platform, arch: process.arch };
}
