import { useRef } from 'react';
import { usePage } from './pageContext.ts';

type Props = {
  isUnsaved: boolean;
  paneShown: boolean;
  onOpen: (file: File) => void;
  onDownload: () => void;
  onTogglePane: () => void;
};

export const TitleBar = ({ isUnsaved, paneShown, onOpen, onDownload, onTogglePane }: Props) => {
  const chooser = useRef<HTMLInputElement>(null);
  const { workbook, messages } = usePage();
  return (
    <header className="title-bar">
      <svg className="mark" viewBox="0 0 16 16" aria-hidden="true">
        <rect width="16" height="16" rx="3" />
        <path d="M4 4v8h8" />
      </svg>
      <h1>Ledgerline</h1>
      <p>
        {workbook.name} <span aria-hidden="true">·</span> {isUnsaved ? messages.unsaved : messages.subtitle}
      </p>
      <input
        ref={chooser}
        type="file"
        accept=".xlsx"
        hidden
        aria-label={messages.openFile.choose}
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? [];
          // The same file can be chosen again.
          currentTarget.value = '';
          if (file) onOpen(file);
        }}
      />
      <button type="button" onClick={() => chooser.current?.click()}>
        {messages.openFile.choose}
      </button>
      <button type="button" className="strong" onClick={onDownload}>
        {messages.download}
      </button>
      <button type="button" aria-expanded={paneShown} onClick={onTogglePane}>
        {paneShown ? messages.hidePane : messages.showPane}
      </button>
    </header>
  );
};
