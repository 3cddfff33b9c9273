import type { Words } from './words.ts';

type Props = {
  name: string;
  words: Words;
  isUnsaved: boolean;
  paneShown: boolean;
  onDownload: () => void;
  onTogglePane: () => void;
};

export const TitleBar = ({ name, words, isUnsaved, paneShown, onDownload, onTogglePane }: Props) => (
  <header className="title-bar">
    <svg className="mark" viewBox="0 0 16 16" aria-hidden="true">
      <rect width="16" height="16" rx="3" />
      <path d="M4 4v8h8" />
    </svg>
    <h1>Ledgerline</h1>
    <p>
      {name} <span aria-hidden="true">·</span> {isUnsaved ? words.unsaved : words.subtitle}
    </p>
    <button type="button" className="strong" onClick={onDownload}>
      {words.download}
    </button>
    <button type="button" aria-expanded={paneShown} onClick={onTogglePane}>
      {paneShown ? words.hidePane : words.showPane}
    </button>
  </header>
);
