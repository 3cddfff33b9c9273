import { Button } from '@fluentui/react-button';
import { Field } from '@fluentui/react-field';
import { Input } from '@fluentui/react-input';
import { Text } from '@fluentui/react-text';
import { useEffect, useId, useState } from 'react';
import type { ProductClient } from '../../../../shared/client/productClient.ts';
import type { ListedProduct, ProductList } from '../../../../shared/resources/productList.ts';
import { formatDecimal } from '../../locales/language.ts';
import { usePane } from '../../paneContext.ts';
import { ErrorNotice } from '../ErrorNotice.tsx';
import { Status } from '../Status.tsx';

/** The pause in typing after which a search begins. */
const PAUSE_MS = 250;
/** The most products of a search: more are found by another word. */
const MAX_FOUND = 20;

type Props = {
  client: ProductClient;
  /** The article numbers that are picked already. */
  picked: ReadonlySet<string>;
  /** Whether none can be picked now. */
  isPaused?: boolean;
  /** @param readOn when it was read, in UNIX seconds */
  onPick: (product: ListedProduct, readOn: string | null) => void;
};

/** Finds products by part of their name, article number or EAN, and picks them. */
export function ProductSearch({ client, picked, isPaused = false, onPick }: Props) {
  const { messages, language } = usePane();
  const texts = messages.search;
  const [text, setText] = useState('');
  const [found, setFound] = useState<ProductList | { error: unknown }>();
  const [attempt, setAttempt] = useState(0);
  const listId = useId();
  const wanted = text.trim();

  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt searches again.
  useEffect(() => {
    setFound(undefined);
    if (wanted === '') return;
    const typing = new AbortController();
    const search = () =>
      client.search(wanted, MAX_FOUND, typing.signal).then(
        (list) => typing.signal.aborted || setFound(list),
        (error: unknown) => typing.signal.aborted || setFound({ error }),
      );
    const timer = setTimeout(search, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      typing.abort();
    };
  }, [client, wanted, attempt]);

  return (
    <div className="section">
      <Field label={texts.label} hint={texts.hint}>
        <Input
          type="search"
          value={text}
          aria-controls={listId}
          onChange={(_, { value }) => setText(value)}
          // Enter must not make the sheet.
          onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
        />
      </Field>
      <div id={listId}>
        {found !== undefined && 'error' in found && (
          <ErrorNotice error={found.error} onRetry={() => setAttempt(attempt + 1)} />
        )}
        {found !== undefined && 'products' in found && (
          <>
            <Status>{texts.found(found.products.length, found.products.length === MAX_FOUND)}</Status>
            <ul className="list">
              {found.products.map((product) => {
                const { ArticleNumber, Name, EAN, Price } = product;
                const details = [ArticleNumber, EAN, Price && formatDecimal(language, Price, 2)].filter(Boolean);
                const isPicked = picked.has(ArticleNumber);
                return (
                  <li key={ArticleNumber} className="entry">
                    <Text weight="semibold">{Name}</Text>
                    <Text className="muted">{details.join(' · ')}</Text>
                    <Button
                      size="small"
                      className="submit"
                      disabledFocusable={isPicked || isPaused}
                      aria-label={messages.named(isPicked ? texts.added : texts.add, `${ArticleNumber} ${Name}`)}
                      onClick={() => onPick(product, found.readOn)}
                    >
                      {isPicked ? texts.added : texts.add}
                    </Button>
                  </li>
                );
              })}
            </ul>
          </>
        )}
      </div>
    </div>
  );
}
