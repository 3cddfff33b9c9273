import { FluentProvider, makeStyles, Text, Title2, tokens, webLightTheme } from '@fluentui/react-components';

const useStyles = makeStyles({
  page: {
    display: 'flex',
    flexDirection: 'column',
    gap: tokens.spacingVerticalM,
    maxWidth: '32rem',
    padding: tokens.spacingHorizontalXXL,
  },
});

/** The page that replaces the pane outside of Excel. */
export function NoExcel({ title, lines }: { title: string; lines: readonly string[] }) {
  const styles = useStyles();
  return (
    <FluentProvider theme={webLightTheme}>
      <main className={styles.page}>
        <Title2 as="h1">{title}</Title2>
        {lines.map((line) => (
          <Text as="p" key={line} style={{ margin: 0 }}>
            {line}
          </Text>
        ))}
      </main>
    </FluentProvider>
  );
}
