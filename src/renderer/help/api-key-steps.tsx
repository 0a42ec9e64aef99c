import { texts } from '../texts/texts.ts';
import './help.css';

/** Steps to the API key in the billing service. */
export function ApiKeySteps() {
  const text = texts.help.apiKey;
  return (
    <div className="api-key-steps">
      <p>{text.lead}</p>
      <ol>
        {text.steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      <p>{text.scope}</p>
    </div>
  );
}
