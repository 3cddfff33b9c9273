import { Select } from '@fluentui/react-select';
import { Text } from '@fluentui/react-text';
import { usePane } from '../../paneContext.ts';
import { type PasteChoice, type Pasted, pasteColumns } from '../../productSheet/pastedRows.ts';
import { Section } from '../Section.tsx';

/** The rows that are shown: enough to recognise the columns. */
const MAX_SHOWN = 5;

type Props = {
  pasted: Pasted;
  choices: readonly PasteChoice[];
  onChoose: (choices: PasteChoice[]) => void;
};

/** The first rows of pasted columns, and above each column what it is. */
export function PastedColumns({ pasted: { rows }, choices, onChoose }: Props) {
  const { messages } = usePane();
  const texts = messages.pasting;
  return (
    <Section card title={texts.title}>
      <Text>{texts.meaning}</Text>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a keyboard must reach it to scroll it */}
      <section className="wide" tabIndex={0} aria-label={texts.title}>
        <table className="pasted">
          <thead>
            <tr>
              {choices.map((choice, column) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a pasted column is known by its place only
                <th key={column} scope="col">
                  <Select
                    size="small"
                    aria-label={texts.column(column + 1)}
                    value={choice}
                    onChange={(_, { value }) =>
                      onChoose(choices.map((one, at) => (at === column ? (value as PasteChoice) : one)))
                    }
                  >
                    {choice === 'unknown' && <option value="unknown">{texts.choose}</option>}
                    {pasteColumns.map((name) => (
                      <option key={name} value={name}>
                        {messages.headings.products[name]}
                      </option>
                    ))}
                    <option value="unused">{texts.unused}</option>
                  </Select>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, MAX_SHOWN).map((cells, row) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two pasted rows may be the same
              <tr key={row}>
                {cells.map((cell, column) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: the same
                  <td key={column}>{cell}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {rows.length > MAX_SHOWN && <Text>{messages.push.previewMore(rows.length - MAX_SHOWN)}</Text>}
    </Section>
  );
}
