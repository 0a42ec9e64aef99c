/**
 * Handlers of the control requests by verb. Tests send a JSON object by POST to `{url}/sandbox/<verb>`, or read a state
 * by GET.
 */
export type ControlHandlers = Record<string, (given: Record<string, unknown>) => unknown>;

export function executeControlVerb(
  control: ControlHandlers,
  method: string,
  verb: string,
  body: string,
): { status: number; value: unknown } {
  const act = Object.hasOwn(control, verb) ? control[verb] : undefined;
  if (!act)
    return {
      status: 404,
      value: { error: `There is no ${verb}; there are ${Object.keys(control).join(', ')}.` },
    };
  try {
    const given = method === 'POST' && body !== '' ? (JSON.parse(body) as Record<string, unknown>) : {};
    return { status: 200, value: act(given) ?? { status: 'ok' } };
  } catch (error) {
    return { status: 422, value: { error: error instanceof Error ? error.message : String(error) } };
  }
}
