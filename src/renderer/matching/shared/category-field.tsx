import type { ComponentProps } from 'react';
import { useQuery } from '../../backend-client/backend-hooks.ts';
import { Button } from '../../controls/button.tsx';
import { TextInput } from '../../controls/form-fields.tsx';

const MAX_SUGGESTIONS = 10;

type CategoryFieldProps = Pick<
  ComponentProps<typeof TextInput>,
  'label' | 'value' | 'onChange' | 'placeholder' | 'autoFocus'
> & {
  readonly site: string;
  /** Category that is not offered as a suggestion. */
  readonly excluded?: string;
};

/** Field for the category of a difference, with buttons for the categories used so far. */
export function CategoryField({ site, excluded, ...field }: CategoryFieldProps) {
  const { data: categories = [] } = useQuery('match.categories', { site });
  return (
    <>
      <TextInput {...field} maxLength={40} />
      <fieldset className="assignee-known" aria-label={field.label}>
        {categories
          .filter(({ category }) => category !== excluded)
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
      </fieldset>
    </>
  );
}
