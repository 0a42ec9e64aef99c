import { Plus, X } from 'lucide-react';
import type { ComponentProps } from 'react';
import { useAction, useContractClient, useQuery } from '../../backend-client/backend-hooks.ts';
import { Button } from '../../controls/button.tsx';
import { TextInput } from '../../controls/form-fields.tsx';
import { ErrorMessage } from '../../errors/error-message.tsx';
import { texts } from '../../texts/texts.ts';

const text = texts.matchRules.categories;
/** Maximum number of suggested categories. Chosen by judgment. */
const MAX_SUGGESTIONS = 16;

type CategoryFieldProps = Pick<
  ComponentProps<typeof TextInput>,
  'label' | 'value' | 'onChange' | 'placeholder' | 'autoFocus'
> & {
  readonly site: string;
  /** Category that is not offered as a suggestion. */
  readonly excluded?: string;
};

/** Field for a category, with buttons for the known categories. Categories can be added, and added ones removed. */
export function CategoryField({ site, excluded, ...field }: CategoryFieldProps) {
  const client = useContractClient();
  const { data: categories } = useQuery('match.categories', { site });
  const adding = useAction((category: string) => client.match.addCategory({ site, category }));
  const removing = useAction((category: string) => client.match.removeCategory({ site, category }));
  const typed = field.value.trim().toLowerCase();
  const known = categories?.find(({ category }) => category === typed);
  const isNew = categories !== undefined && known === undefined && /^[a-z][a-z0-9 -]{0,39}$/.test(typed);
  const error = adding.error ?? removing.error;
  return (
    <>
      <TextInput {...field} maxLength={40} />
      <fieldset className="assignee-known" aria-label={field.label}>
        {categories
          ?.filter(({ category }) => category !== excluded)
          .slice(0, MAX_SUGGESTIONS)
          .map(({ category }) => (
            <Button
              key={category}
              size="small"
              isPressed={category === field.value}
              onPress={() => field.onChange(category)}
            >
              {category}
            </Button>
          ))}
        {isNew && (
          <Button
            size="small"
            kind="quiet"
            icon={Plus}
            isPending={adding.running}
            onPress={() => void adding.run(typed)}
          >
            {text.add(typed)}
          </Button>
        )}
        {known?.added && known.groups === 0 && (
          <Button
            size="small"
            kind="quiet"
            icon={X}
            isPending={removing.running}
            onPress={() => void removing.run(typed)}
          >
            {text.remove(typed)}
          </Button>
        )}
      </fieldset>
      {error && <ErrorMessage error={error} site={site} />}
    </>
  );
}
