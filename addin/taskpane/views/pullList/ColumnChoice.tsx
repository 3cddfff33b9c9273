import { Button } from '@fluentui/react-button';
import { Checkbox } from '@fluentui/react-checkbox';
import { ArrowDownRegular, ArrowUpRegular, ChevronDownRegular, ChevronRightRegular } from '@fluentui/react-icons';
import { Text } from '@fluentui/react-text';
import { useId, useState } from 'react';
import { usePane } from '../../paneContext.ts';
import type { ListTable } from '../../pulledLists/list.ts';

/** The columns of a table with their order; undefined: as they are in the sheet, in a new one all of them. */
export type ChosenColumns = readonly string[] | undefined;

type Props = {
  table: ListTable;
  /** The name of its sheets. */
  title: string;
  chosen: ChosenColumns;
  onChosen: (chosen: ChosenColumns) => void;
};

/** Chooses the columns of a table, and their order in a new sheet. */
export function ColumnChoice({ table, title, chosen, onChosen }: Props) {
  const { messages } = usePane();
  const texts = messages.columns;
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const all = table.columnsIn(messages);
  const headings = new Map(all.map(({ key, heading }) => [key, heading]));
  const shown = chosen ?? all.map(({ key }) => key);
  // What is left out stands below, in the usual order.
  const order = [...shown, ...all.flatMap(({ key }) => (shown.includes(key) ? [] : [key]))];
  const toggle = (key: string, isShown: boolean) =>
    onChosen(isShown ? [...shown, key] : shown.filter((one) => one !== key));
  const move = (index: number, by: number) => {
    const moved = shown.toSpliced(index, 1);
    onChosen(moved.toSpliced(index + by, 0, shown[index]!));
  };
  return (
    <div className="section">
      <Button
        className="opener"
        appearance="subtle"
        size="small"
        icon={isOpen ? <ChevronDownRegular /> : <ChevronRightRegular />}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        {texts.title(title, shown.length, all.length)}
      </Button>
      <div id={id}>
        {isOpen && (
          <>
            <Text size={200} className="muted">
              {texts.hint}
            </Text>
            <ul className="list" style={{ gap: 0 }}>
              {order.map((key, index) => (
                <li key={key} className="column">
                  <Checkbox
                    className="grow"
                    label={headings.get(key)!}
                    checked={shown.includes(key)}
                    disabled={table.keys.includes(key)}
                    onChange={(_, { checked }) => toggle(key, checked === true)}
                  />
                  {index < shown.length && (
                    <>
                      <Button
                        appearance="subtle"
                        size="small"
                        icon={<ArrowUpRegular />}
                        aria-label={messages.named(texts.up, headings.get(key)!)}
                        disabledFocusable={index === 0}
                        onClick={() => move(index, -1)}
                      />
                      <Button
                        appearance="subtle"
                        size="small"
                        icon={<ArrowDownRegular />}
                        aria-label={messages.named(texts.down, headings.get(key)!)}
                        disabledFocusable={index === shown.length - 1}
                        onClick={() => move(index, 1)}
                      />
                    </>
                  )}
                </li>
              ))}
            </ul>
            {chosen !== undefined && (
              <Button size="small" onClick={() => onChosen(undefined)}>
                {texts.usual}
              </Button>
            )}
          </>
        )}
      </div>
    </div>
  );
}
