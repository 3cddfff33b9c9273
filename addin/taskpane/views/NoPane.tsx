import { Button } from '@fluentui/react-button';
import { FluentProvider } from '@fluentui/react-provider';
import { Text, Title2 } from '@fluentui/react-text';

type Props = {
  title: string;
  lines: readonly string[];
  /** A button, with what it does. */
  action?: readonly [label: string, act: () => void];
};

/** The page that replaces the pane where that cannot be: outside of Excel, or without its texts. */
export function NoPane({ title, lines, action }: Props) {
  return (
    <FluentProvider>
      <main className="page">
        <Title2 as="h1">{title}</Title2>
        {lines.map((line) => (
          <Text as="p" key={line} style={{ margin: 0 }}>
            {line}
          </Text>
        ))}
        {action !== undefined && <Button onClick={action[1]}>{action[0]}</Button>}
      </main>
    </FluentProvider>
  );
}
