import { Field } from '@fluentui/react-field';
import { Select } from '@fluentui/react-select';
import { type Language, languages, wordsIn } from '../locales/words.ts';
import { usePane } from '../paneContext.ts';

type Props = { chosen: Language | null; onChosen: (language: Language | null) => void };

/** The choice of the pane's language, each in its own words; `null` is that of Excel. */
export function LanguageField({ chosen, onChosen }: Props) {
  const { messages, busy } = usePane();
  return (
    <Field label={messages.language} size="small" orientation="horizontal">
      <Select
        size="small"
        disabled={busy}
        value={chosen ?? ''}
        onChange={(_, { value }) => onChosen(languages.find((language) => language === value) ?? null)}
      >
        <option value="">{messages.languageOfExcel}</option>
        {languages.map((language) => (
          <option key={language} value={language} lang={language}>
            {wordsIn[language].ownName}
          </option>
        ))}
      </Select>
    </Field>
  );
}
