import { usePage } from './pageContext.ts';

type Props = { isUnsaved: boolean; paneShown: boolean; onDownload: () => void; onTogglePane: () => void };

export const TitleBar = ({ isUnsaved, paneShown, onDownload, onTogglePane }: Props) => {
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
      <button type="button" className="strong" onClick={onDownload}>
        {messages.download}
      </button>
      <button type="button" aria-expanded={paneShown} onClick={onTogglePane}>
        {paneShown ? messages.hidePane : messages.showPane}
      </button>
    </header>
  );
};
