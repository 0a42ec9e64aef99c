import { Button, type ButtonProps } from '../controls/button.tsx';
import { runCommand } from './command.ts';
import { findCommand } from './command-registry.ts';
import { useCommandContext } from './use-command-context.ts';

interface CommandButtonProps extends Pick<ButtonProps, 'kind' | 'size' | 'children'> {
  readonly id: string;
  /** True to show only the icon. The command's title becomes its accessible name. */
  readonly iconOnly?: boolean;
}

/** Button for a command with its title, icon, and shortcut. The tooltip gives the reason if it is disabled. */
export function CommandButton({ id, iconOnly = false, children, ...buttonProps }: CommandButtonProps) {
  const context = useCommandContext();
  const command = findCommand(id);
  const enabled = command.enabled(context);
  return (
    <Button
      {...buttonProps}
      icon={command.icon}
      label={command.title}
      shortcuts={command.keys}
      disabledReason={enabled === true ? null : enabled}
      onPress={() => void runCommand(command, context)}
    >
      {iconOnly ? undefined : (children ?? command.title)}
    </Button>
  );
}
