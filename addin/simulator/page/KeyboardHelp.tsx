import type { Words } from './words.ts';

/** The element that tells how the keyboard leaves the cells. */
export const KEYBOARD_HELP = 'keyboard-help';

/** For whoever hears the page: the cells keep Tab to themselves, as in Excel, and this is how to leave them. */
export const KeyboardHelp = ({ words }: { words: Words }) => (
  <p id={KEYBOARD_HELP} className="for-screen-readers">
    {words.keyboardHelp}
  </p>
);
