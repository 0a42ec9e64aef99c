/**
 * Variables that programs need to find files and to reach the desktop. A program gets no others, because they may contain keys,
 * for example TIEOUT_API_KEY.
 */
const PASSED_VARIABLES = [
  ...['PATH', 'HOME', 'USER', 'LANG', 'LC_ALL', 'TZ', 'TMPDIR', 'DISPLAY', 'WAYLAND_DISPLAY'],
  ...['XDG_RUNTIME_DIR', 'DBUS_SESSION_BUS_ADDRESS', 'SystemRoot', 'TEMP', 'USERPROFILE', 'APPDATA'],
];

/** Returns the variables of this process or thread that alert programs get. */
export function readHookEnvironment(): Record<string, string> {
  const passed = PASSED_VARIABLES.flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(passed);
}
