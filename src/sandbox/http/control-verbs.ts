/** Handlers of control requests by verb. Tests send a JSON object by POST to `{url}/sandbox/<verb>`, or use GET. */
export type ControlHandlers = Record<string, (input: Record<string, unknown>) => unknown>;

export function executeControlVerb(
  control: ControlHandlers,
  method: string,
  verb: string,
  body: string,
): { status: number; value: unknown } {
  const act = Object.hasOwn(control, verb) ? control[verb] : undefined;
  if (!act) {
    const error = `There is no ${verb}; there are ${Object.keys(control).join(', ')}.`;
    return { status: 404, value: { error } };
  }
  try {
    const input = method === 'POST' && body !== '' ? (JSON.parse(body) as Record<string, unknown>) : {};
    return { status: 200, value: act(input) ?? { status: 'ok' } };
  } catch (error) {
    return { status: 422, value: { error: error instanceof Error ? error.message : String(error) } };
  }
}
